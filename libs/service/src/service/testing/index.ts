export { startTestService } from './start-test-service.js';
export type { TestService, TestUser, TestUserOptions } from './test-service.js';
