export { frameworkError } from './framework-errors.js';
export { requireJsonType } from './require-json-type.js';
export { sendError } from './send-error.js';
export type { ErrorReply, RawResponse } from './send-error.js';
export { thrownError, toApiError } from './to-api-error.js';
export { prerendered, toErrorAnswer } from './to-error-answer.js';
export type { ErrorAnswer } from './to-error-answer.js';
