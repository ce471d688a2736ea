import { ResourceNotFoundError } from '@items/errors';
import type { ListRequest } from '@items/paging';

import type { Database, Queryable, Transaction } from '../database/database.js';
import type { VersionedRow } from '../database/versioned-row.js';
import type {
  Creation,
  IdempotentCreation,
  Idempotency,
  RepeatableRequest,
  Replay,
} from '../idempotency/idempotency.js';
import type { CollectionDefinition, Identified, Own } from './collection.js';
import { CollectionReader, type CursorPolicy, type ListAnswer } from './collection-reader.js';
import { RowStore } from './row-store.js';
import { Totals } from './totals.js';
import { EVERYWHERE, filterWithin, isWithin, type Within } from './within.js';

/** A resource with the strong entity tag of its state. RFC 9110 §8.8.3 */
export interface Tagged<Resource> {
  readonly resource: Resource;
  readonly etag: string;
}

/** Refuses a write that was made for another state. @throws {PreconditionFailedError} 412 */
export type Precondition = (etag: string) => void;

/**
 * What every collection can do: its table of specification §4, without HTTP. For a nested one, each operation is told
 * what the path says (`within`): there, members of another parent are unknown.
 */
export class CollectionService<Row extends VersionedRow, Resource extends Identified, Input> {
  private readonly store: RowStore<Row>;
  private readonly reader: CollectionReader<Row, Resource>;

  constructor(
    private readonly database: Database,
    private readonly idempotency: Idempotency,
    policy: CursorPolicy,
    readonly definition: CollectionDefinition<Row, Resource, Input>,
  ) {
    const columns = database.columnsOf(definition.entity);
    const totals = new Totals(definition.name, definition.counted);
    this.store = new RowStore(database, definition.name, columns, totals);
    this.reader = new CollectionReader(database, definition, columns, totals, policy);
  }

  /** @throws {ResourceNotFoundError} 404 */
  async get(id: string, within = EVERYWHERE): Promise<Tagged<Resource>> {
    return this.tagged(this.known(await this.store.find(id), within));
  }

  /** Those of the members that exist, by id, as of one moment. @param ids anything, at most 100. */
  async getAll(database: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, Resource>> {
    const rows = await this.store.findAll(database, ids);
    return new Map(rows.map((row) => [row.id, this.definition.present(row)]));
  }

  /** Whether a nested collection has any member. */
  hasAny(within: Within): Promise<boolean> {
    return this.store.hasAny(within);
  }

  /** @param path of the collection: cursors are bound to it. */
  list(request: ListRequest, path: string, within = EVERYWHERE): Promise<ListAnswer<Resource>> {
    return this.reader.list(request, path, filterWithin(within));
  }

  /**
   * @param path of the collection, where the new member is found.
   * @throws {ConflictError} 409 @throws {IdempotencyKeyReusedError} 422
   */
  create(
    input: Input,
    path: string,
    repeatable?: RepeatableRequest,
    within = EVERYWHERE,
  ): Promise<IdempotentCreation<Resource>> {
    return this.createWith(path, repeatable, 'replayable', (tx) =>
      this.insert(tx, { ...this.definition.accept(input), ...within }),
    );
  }

  /** A creation that does more than insert a row, in the same transaction. */
  createWith<Created extends Resource>(
    path: string,
    repeatable: RepeatableRequest | undefined,
    replay: Replay,
    work: (tx: Transaction) => Promise<Tagged<Created>>,
  ): Promise<IdempotentCreation<Created>> {
    return this.idempotency.run(repeatable, replay, async (tx): Promise<Creation<Created>> => {
      const made = await work(tx);
      return { ...made, location: `${path}/${made.resource.id}` };
    });
  }

  async insert(tx: Transaction, own: Own<Row>): Promise<Tagged<Resource>> {
    return this.tagged(await this.store.insert(tx, own));
  }

  /**
   * @throws {ResourceNotFoundError} 404
   * @throws {PreconditionFailedError} 412
   */
  replace(id: string, input: Input, precondition: Precondition, within = EVERYWHERE): Promise<Tagged<Resource>> {
    return this.database.transaction((tx) =>
      this.update(tx, id, { ...this.definition.accept(input), ...within }, precondition, within),
    );
  }

  /** Changes some columns. @throws as {@link replace} */
  async update(
    tx: Transaction,
    id: string,
    own: Partial<Own<Row>>,
    precondition: Precondition,
    within = EVERYWHERE,
  ): Promise<Tagged<Resource>> {
    const judge = (current: Row): Partial<Own<Row>> => {
      precondition(etagOf(current));
      return own;
    };
    return this.change(tx, id, judge, within);
  }

  /**
   * Changes some columns by what the member is, which nobody else changes meanwhile.
   * @param decide throws what refuses the change.
   * @throws {ResourceNotFoundError} 404
   */
  async change(
    tx: Transaction,
    id: string,
    decide: (current: Row) => Partial<Own<Row>>,
    within = EVERYWHERE,
  ): Promise<Tagged<Resource>> {
    const current = this.known(await this.store.lock(tx, id), within);
    return this.tagged(await this.store.update(tx, current, decide(current)));
  }

  /** Notes what the service itself found out about a member, if it still exists: `updated_at` stays. */
  async amend(tx: Transaction, id: string, own: Partial<Own<Row>>): Promise<void> {
    const current = await this.store.lock(tx, id);
    if (current !== undefined) await this.store.update(tx, current, own, current.updated_at);
  }

  /**
   * @throws {ResourceNotFoundError} 404
   * @throws {PreconditionFailedError} 412
   */
  remove(id: string, precondition: Precondition, within = EVERYWHERE): Promise<void> {
    return this.database.transaction((tx) => this.delete(tx, id, precondition, within));
  }

  /** @throws as {@link remove} */
  async delete(tx: Transaction, id: string, precondition: Precondition, within = EVERYWHERE): Promise<void> {
    const current = this.known(await this.store.lock(tx, id), within);
    precondition(etagOf(current));
    await this.store.remove(tx, current);
  }

  private known(row: Row | undefined, within: Within): Row {
    if (row === undefined || !isWithin(row, within)) throw new ResourceNotFoundError(this.definition.singular);
    return row;
  }

  private tagged(row: Row): Tagged<Resource> {
    return { resource: this.definition.present(row), etag: etagOf(row) };
  }
}

/** Every write has a stamp of its own, and every stamp its own tag. */
function etagOf(row: VersionedRow): string {
  return `"${row.seq.toString(36)}-${row.lane.toString(36)}"`;
}
