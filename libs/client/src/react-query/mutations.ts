import type { ApiCall } from '../calls/api-call.js';
import type { ConditionalOptions } from '../client-options.js';
import { NotFoundError, PreconditionFailedError } from '../errors/items-api-error.js';
import { keysOf, type QueryKey, versioned, type Versioned } from './queries.js';

/** The methods of `QueryClient` that mutations use. */
export interface QueryStore {
  setQueryData(key: QueryKey, data: unknown): unknown;
  invalidateQueries(filters: { readonly queryKey: QueryKey }): Promise<void>;
  removeQueries(filters: { readonly queryKey: QueryKey }): void;
}

export interface MutationOptions<Result, Variables> {
  readonly mutationFn: (variables: Variables) => Promise<Result>;
}

/** @property etag `ETag` of the state that the user has seen. The write fails if it has changed since. */
export interface Replacement<Input> {
  readonly id: string;
  readonly input: Input;
  readonly etag: string | undefined;
}

export type Deletion = Omit<Replacement<never>, 'input'>;

interface Conditional<T, Input> {
  get(id: string): ApiCall<T>;
  replace(id: string, input: Input, options: ConditionalOptions): ApiCall<T>;
  delete(id: string, options: ConditionalOptions): ApiCall<void>;
}

/** Creates a resource and invalidates the lists. @param name See `keysOf`. */
export function createMutation<Input, Created>(
  name: string | readonly string[],
  collection: { create(input: Input): ApiCall<Created> },
  store: QueryStore,
): MutationOptions<Created, Input> {
  return {
    mutationFn: async (input) => {
      const created = await collection.create(input);
      void store.invalidateQueries({ queryKey: keysOf(name).lists });
      return created;
    },
  };
}

/**
 * Replaces a resource if it has not changed since the user saw it. Updates the cache before the mutation resolves.
 * @throws {EditConflictError} Another user has changed or deleted it. The cache now has its current state.
 */
export function replaceMutation<T, Input>(
  name: string | readonly string[],
  collection: Pick<Conditional<T, Input>, 'get' | 'replace'>,
  store: QueryStore,
): MutationOptions<Versioned<T>, Replacement<Input>> {
  const keys = keysOf(name);
  return {
    mutationFn: async ({ id, input, etag }) => {
      const replaced = await versioned(collection.replace(id, input, { ifMatch: etag })).catch((error: unknown) =>
        conflictOf(error, collection, store, keys.detail(id), id),
      );
      store.setQueryData(keys.detail(id), replaced);
      void store.invalidateQueries({ queryKey: keys.lists });
      return replaced;
    },
  };
}

/**
 * Deletes a resource if it has not changed since the user saw it.
 * @throws {EditConflictError} As {@link replaceMutation}.
 */
export function deleteMutation<T>(
  name: string | readonly string[],
  collection: Pick<Conditional<T, never>, 'get' | 'delete'>,
  store: QueryStore,
): MutationOptions<void, Deletion> {
  const keys = keysOf(name);
  return {
    mutationFn: async ({ id, etag }) => {
      await collection
        .delete(id, { ifMatch: etag })
        .catch((error: unknown) => conflictOf(error, collection, store, keys.detail(id), id));
      store.removeQueries({ queryKey: keys.detail(id) });
      void store.invalidateQueries({ queryKey: keys.lists });
    },
  };
}

/**
 * @throws Always: after a 412 or 404 an `EditConflictError`, or the error of reading the current state; otherwise the
 * given error.
 */
async function conflictOf<T>(
  cause: unknown,
  collection: Pick<Conditional<T, never>, 'get'>,
  store: QueryStore,
  key: QueryKey,
  id: string,
): Promise<never> {
  const isGone = cause instanceof NotFoundError;
  if (!isGone && !(cause instanceof PreconditionFailedError)) throw cause;
  const current = isGone ? undefined : await versioned(collection.get(id)).catch(undefinedIfNotFound);
  if (current === undefined) store.removeQueries({ queryKey: key });
  else store.setQueryData(key, current);
  void store.invalidateQueries({ queryKey: key.slice(0, -2) });
  throw new EditConflictError(current, { cause });
}

function undefinedIfNotFound(error: unknown): undefined {
  if (!(error instanceof NotFoundError)) throw error;
}

/** Another user has changed or deleted the resource since it was read. Nothing was written. */
export class EditConflictError<T = unknown> extends Error {
  override readonly name = 'EditConflictError';
  /** The current state; undefined if the resource was deleted. */
  readonly current: Versioned<T> | undefined;

  constructor(current: Versioned<T> | undefined, options?: ErrorOptions) {
    super(`The resource was ${current === undefined ? 'deleted' : 'changed'} since it was read.`, options);
    this.current = current;
  }
}
