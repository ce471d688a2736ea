export { ErrorFilter, sendError } from './error-filter.js';
export type { ErrorListener, ErrorReply } from './error-filter.js';
export { toApiError, toErrorAnswer } from './to-error-answer.js';
export type { ErrorAnswer } from './to-error-answer.js';
