export { EditConflictError } from './edit-conflict-error.js';
export { keysOf, type QueryKeys } from './keys.js';
export { createMutation, deleteMutation, replaceMutation } from './mutations.js';
export type { Deletion, MutationOptions, Replacement } from './mutations.js';
export { infiniteQueryOptions, queryOptions } from './queries.js';
export type { InfiniteQueryOptions, QueryOptions, Versioned } from './queries.js';
