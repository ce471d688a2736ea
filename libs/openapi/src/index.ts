export type { ErrorForm } from './description/error-form.js';
export type { CollectionDescription, DescribedCollection } from './description/collection-description.js';
export { DescribesCollection } from './description/describes-collection.js';
export { auditOperations } from './description/audit-feed-form.js';
export { eventFeedForm } from './description/event-feed-form.js';
export type { EventExample, EventFeed } from './description/event-feed-form.js';
export { eventWebhooks } from './description/event-webhooks.js';
export type { DescribedEvents, EventExamples, ExampleChange } from './description/event-webhooks.js';
export { exampleOf } from './description/example.js';
export { listContent } from './description/list-content.js';
export { htmlPage, json, schemaRef } from './description/media-types.js';
export { Operation } from './description/operation.js';
export type {
  Ending,
  FormDescription,
  OperationDescription,
  QueryParameter,
  SentRequest,
} from './description/operation.js';
export { anyPageSchema, extended, ID, resourceSchema, TIME } from './description/resource-schemas.js';
export type { Fields } from './description/resource-schemas.js';
export type { QuickStartStep } from './docs/quick-start.js';
export { openApiDocument } from './document/build-document.js';
export type {
  Content,
  HeaderObject,
  InfoObject,
  MediaTypeObject,
  OpenApiDocument,
  Presence,
  Presences,
  SecurityRequirement,
} from './openapi-document.js';
export { OpenApiModule } from './openapi.module.js';
export type { OpenApiOptions, OpenApiRoutes } from './openapi-options.js';
export type { Handler, HandlerRoute, RouteAccess } from './route.js';
export { ServedDocument } from './served/served-document.js';
export { breakingDifferences } from './compatibility/breaking-differences.js';
