export { PasswordHasher } from './password-hasher.js';
export { WorkQueue } from './work-queue.js';
export type { QueueBounds } from './work-queue.js';
