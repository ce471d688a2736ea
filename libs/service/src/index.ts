export { Caller } from './auth/caller.js';
export { RequireScope } from './auth/require-scope.js';
export { collection, type CollectionOptions } from './composed-collections/collection.js';
export type { Migration } from './composed-collections/migration.js';
export type { RunningService, ServiceOptions } from './process/service-options.js';
export { startService } from './process/start-service.js';
export type { Principal } from './principal/principal.js';
export { type CollectionOf, InjectCollection } from './nest/collection-token.js';
export { JsonBody } from './nest/json-body.js';
