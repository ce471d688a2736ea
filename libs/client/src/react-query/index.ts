export { createMutation, deleteMutation, EditConflictError, replaceMutation } from './mutations.js';
export type { Deletion, MutationOptions, Replacement } from './mutations.js';
export { infiniteQueryOptions, keysOf, queryOptions } from './queries.js';
export type { InfiniteQueryOptions, QueryKeys, QueryOptions, Versioned } from './queries.js';
