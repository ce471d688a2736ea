import type { Transaction } from '../database/database.js';
import type { CollectionDefinition, Fields, Identified } from '../definition/collection.js';
import { ALL_PARENTS } from '../definition/parent-keys.js';
import type { CollectionService } from './collection-service.js';
import { type Listed, listInTransaction, type MembersQuery } from './list-in-transaction.js';
import { openCollectionOf } from './open-collections.js';

export interface UpdateOptions {
  /** Last part of the event's type, one of the collection's `kinds`. Default: `updated`. */
  readonly kind?: string;
}

/** Reads and writes of a collection within a transaction. Writes are validated, make events and run no rules. */
export interface MembersInTransaction<Resource extends Identified> {
  /**
   * Locks the member until the transaction ends.
   * @throws {ResourceNotFoundError} 404
   */
  get(tx: Transaction, id: string): Promise<Resource>;
  /** Locks nothing. Unknown ids are missing in the result. */
  getAll(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, Resource>>;
  list(tx: Transaction, query?: MembersQuery): Promise<readonly Resource[]>;
  /**
   * Omitted fields get their defaults, or null.
   * @throws {ValidationError} 422
   */
  insert(tx: Transaction, fields: Fields<Resource>): Promise<Resource>;
  /**
   * Changes only the given fields.
   * @throws {ResourceNotFoundError} 404
   * @throws {ValidationError} 422
   */
  update(tx: Transaction, id: string, fields: Fields<Resource>, options?: UpdateOptions): Promise<Resource>;
  /** @throws {ResourceNotFoundError} 404: the member does not exist. */
  delete(tx: Transaction, id: string): Promise<void>;
}

export function membersInTransaction<Resource extends Identified>(
  definitionOf: () => Listed<Resource> & Pick<CollectionDefinition<Resource, never>, 'events'>,
): MembersInTransaction<Resource> {
  const serviceIn = (tx: Transaction): CollectionService<Resource, never> =>
    openCollectionOf(tx, definitionOf()) as CollectionService<Resource, never>;
  return {
    get: async (tx, id) => serviceIn(tx).lock(tx, id),
    getAll: async (tx, ids) => serviceIn(tx).getAll(tx, ids),
    list: async (tx, query) => {
      serviceIn(tx);
      return listInTransaction(tx, definitionOf(), query);
    },
    insert: async (tx, fields) => (await serviceIn(tx).insert(tx, fields)).resource,
    update: async (tx, id, fields, { kind } = {}) => {
      const note = { event: requireKind(definitionOf(), kind) };
      return (await serviceIn(tx).update(tx, id, fields, undefined, ALL_PARENTS, note)).resource;
    },
    delete: async (tx, id) => serviceIn(tx).delete(tx, id, undefined, ALL_PARENTS),
  };
}

function requireKind(
  { name, events }: { readonly name: string; readonly events?: string | { readonly kinds?: readonly string[] } },
  kind: string | undefined,
): string | undefined {
  const kinds = typeof events === 'object' ? events.kinds : undefined;
  if (events === undefined || (kinds === undefined && kind === undefined)) return kind;
  if (kinds?.includes(kind ?? 'updated') === true) return kind;
  throw new Error(`"${kind ?? 'updated'}" is not one of the kinds of "${name}".`);
}
