export { startTestService } from './start-test-service.js';
export { TestMigrations } from './test-migrations.js';
export type { TestService, TestUser, TestUserOptions } from './test-service.js';
