export { ErrorFilter } from './error-filter.js';
export type { ErrorFilterOptions, ErrorListener, HttpApp } from './error-filter.js';
export { sendError, toApiError, toErrorAnswer } from '@items/conventions/answer';
export type { ErrorAnswer, ErrorReply, RawResponse } from '@items/conventions/answer';
