export { anyPageSchema, resourceSchema } from './openapi/description/resource-schemas.js';
export type { CollectionDescription } from './openapi/description/collection-description.js';
export { DescribesCollection } from './openapi/description/describes-collection.js';
export { listContent } from './openapi/description/list-content.js';
export { Operation, type OperationDescription } from './openapi/description/operation.js';
export type { QuickStartStep } from './openapi/docs/quick-start.js';
