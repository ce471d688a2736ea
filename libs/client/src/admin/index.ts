export { adminResources } from './admin-resources.js';
export type { AdminResources, Deliveries, Grants, Webhooks } from './admin-resources.js';
export { mergeEdits } from './merge-edits.js';
export type { MergedEdits } from './merge-edits.js';
