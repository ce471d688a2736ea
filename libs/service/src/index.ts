export { Caller } from './access/auth/caller.js';
export { RequireScope } from './access/auth/require-scope.js';
export { collection, type CollectionOptions } from './service/composed-collections/collection.js';
export type { Migration } from './service/composed-collections/migration.js';
export type { RunningService, ServiceOptions } from './service/process/service-options.js';
export { startService } from './service/process/start-service.js';
export type { Principal } from './access/principal/principal.js';
export { type CollectionOf, InjectCollection } from './http/nest/collection-token.js';
export { JsonBody } from './http/nest/json-body.js';
