export { anyPageSchema, resourceSchema } from './document/description/resource-schemas.js';
export type { CollectionDescription } from './document/description/collection-description.js';
export { DescribesCollection } from './document/description/describes-collection.js';
export { listContent } from './document/description/list-content.js';
export { Operation, type OperationDescription } from './document/description/operation.js';
export type { QuickStartStep } from './document/docs/markup.js';
