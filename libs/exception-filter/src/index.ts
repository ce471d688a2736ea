export { ErrorFilter } from './error-filter.js';
export type { ErrorFilterOptions, ErrorListener, HttpApp } from './error-filter.js';
export { sendError } from './send-error.js';
export type { ErrorReply, RawResponse } from './send-error.js';
export { toApiError } from './to-api-error.js';
export { toErrorAnswer } from './to-error-answer.js';
export type { ErrorAnswer } from './to-error-answer.js';
