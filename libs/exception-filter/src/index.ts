export { ErrorFilter } from './error-filter.js';
export type { ErrorFilterOptions, ErrorListener } from './error-filter.js';
export { sendError } from '@items/conventions/answer';
