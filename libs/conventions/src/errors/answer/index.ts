export { requireJsonType } from './require-json-type.js';
export { prerendered, sendError, toErrorAnswer } from './send-error.js';
export type { ErrorAnswer, ErrorReply, RawResponse } from './send-error.js';
export { frameworkError, thrownError, toApiError } from './to-api-error.js';
