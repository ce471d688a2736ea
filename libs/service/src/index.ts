export {
  Authenticated,
  Caller,
  EveryUsersData,
  OwnerOrAdmin,
  PathOwner,
  Public,
  RequireAnyScope,
  RequireScope,
} from './access/auth/decorators.js';
export type { Owner } from './access/auth/ownership.js';
export type { OwnCaller, OwnStrategy } from './access/auth/strategies/own-strategy.js';
export { Operation } from './document/description/operation.js';
export type { CollectionDefinition, Stamps } from './data/definition/collection.js';
export type { RuleContext } from './data/definition/collection-rules.js';
export { type Collection, collection, type CollectionOptions } from './service/collections/collection.js';
export type { Migration, RunningService, ServiceOptions } from './service/composition/composition.js';
export { ServiceModule } from './service/process/service.module.js';
export { startService } from './service/process/service.module.js';
export type { Principal } from './access/principal/principal.js';
export { type CollectionOf, InjectCollection } from './http/nest/collection-token.js';
export { JsonBody } from './http/nest/json-body.js';
