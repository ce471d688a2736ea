export { Caller } from './auth/caller.js';
export { RequireScope } from './auth/require-scope.js';
export { collection, type CollectionOptions } from './collections/collection.js';
export type { Migration } from './collections/migration.js';
export type { RunningService, ServiceOptions } from './process/service-options.js';
export { startService } from './process/start-service.js';
export type { Principal } from './principal/principal.js';
export { InjectCollection, JsonBody, type CollectionOf } from '@items/nest';
