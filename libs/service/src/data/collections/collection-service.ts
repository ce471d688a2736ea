import { type MaybePromise, PreconditionFailedError, ResourceNotFoundError, thenMaybe } from '@items/conventions';
import { prerendered } from '@items/conventions/answer';
import type { ListRequest } from '@items/paging';
import { type Database, type Queryable, type RowValues, type Transaction } from '../database/database.js';
import type { Creation, Idempotency, IdempotentCreation, RepeatableRequest } from '../idempotency/idempotency.js';
import { isForeignKeyViolation } from '../database/error-codes.js';
import { ROW_ID } from '../schema/row-id.js';
import type { Origin, RuleCaller } from '../database/origin.js';
import type { Referrer } from '../definition/references.js';
import type { StandbyReads } from '../standbys/standby-reads.js';
import type { VersionedRow } from '../database/versioned-row.js';
import type { AuditNote, ChangeRecorder } from '../definition/change-recorder.js';
import type { CollectionDefinition, Fields, HasId, StoredMember, Values } from '../definition/collection.js';
import type { Stamp } from '../definition/stamp-terms.js';
import { CollectionReader } from './collection-reader.js';
import type { ListResponse } from '../lists/list-page.js';
import type { CursorPolicy } from '../lists/cursors.js';
import { RelatedRowStore } from '../writes/related-row-store.js';
import { type Past, RowStore } from '../writes/row-store.js';
import { Totals } from '../lists/totals.js';
import { addOpenCollection } from './open-collections.js';
import { type RefusedWrite, RuledWrites } from './ruled-writes.js';
import type { CreationRequest, Precondition, TransactionOptions } from './write-options.js';
import { firstConflicts, NotUniqueError, uniqueConflict } from './unique-conflicts.js';
import { type Created, CreatedRow, etagOf, LazyRow, type Tagged, WrittenRow } from './tagged.js';
import { ALL_PARENTS, type ParentKeys } from '../definition/parent-keys.js';
import { validateChange, validateStored } from '@items/fields';
import { sqlName } from '../schema/quoted.js';

const FILL_BATCH = 100;

export interface NewMember<Resource extends HasId, Hidden = unknown> {
  readonly fields: Fields<Resource, Hidden>;
  readonly past?: Past;
}

/**
 * The operations of SPEC §4 on a collection, without HTTP. In a nested collection, an operation ignores members with
 * other path parameters (`parent`); `ALL_PARENTS` selects all. A `tx` comes from {@link transaction}.
 */
export class CollectionService<Resource extends HasId, Input, Hidden = unknown> {
  private readonly rows: RowStore;
  private readonly reader: CollectionReader<Resource>;
  private readonly standbys: StandbyReads | undefined;
  /** Shared, because creating an error costs as much as reading a row. */
  private readonly notFound: ResourceNotFoundError;
  private readonly positions: ReadonlyMap<string, number>;
  private readonly ruled: RuledWrites<Resource, Input, Hidden>;

  constructor(
    private readonly database: Database,
    private readonly idempotency: Idempotency,
    policy: CursorPolicy,
    readonly definition: CollectionDefinition<Resource, Input, Hidden>,
    recorder?: ChangeRecorder,
    standbys?: StandbyReads,
    referrers: readonly Referrer[] = [],
  ) {
    this.notFound = prerendered(new ResourceNotFoundError(definition.singular));
    this.positions = new Map(definition.columns.map(({ name }, position) => [name, position]));
    const totals = new Totals(definition.name, definition.countedFilters);
    const isRelated = referrers.length > 0 || (definition.references ?? []).length > 0;
    this.rows = isRelated
      ? new RelatedRowStore(database, definition, totals, recorder, referrers)
      : new RowStore(database, definition, totals, recorder);
    this.standbys = definition.onlyFromPrimary === true ? undefined : standbys;
    this.reader = new CollectionReader(database, definition, definition.columns, totals, policy, this.standbys);
    this.ruled = new RuledWrites(database, definition, this.rows, {
      requireFound: (row, keys) => this.requireFound(row, keys),
      insert: async (tx, fields, caller) => {
        try {
          return await this.inserted(tx, { fields }, caller);
        } catch (error) {
          throw this.toParentNotFound(error);
        }
      },
      createOnce: (work, request) => this.createOnce(work, request),
      refusalOf: (error, write) => this.refusalOf(error, write),
    });
    addOpenCollection(database, definition, this);
  }

  /**
   * Synchronous on SQLite.
   * @param reader Returns the caller whose own writes must be visible.
   * @throws {ResourceNotFoundError} 404
   */
  get(id: string, parent?: ParentKeys, reader?: () => string): MaybePromise<Tagged<Resource>> {
    const keys = this.keysOf(parent);
    if (this.standbys === undefined || reader === undefined) return this.getFrom(this.database, id, keys);
    return this.standbys.read(reader(), (database) => this.getFrom(database, id, keys));
  }

  async getAll(database: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, Resource>> {
    const rows = await this.rows.findAll(database, ids);
    return new Map(rows.map((row) => [row.id, this.definition.present(row)]));
  }

  async hasAny(parent: ParentKeys): Promise<boolean> {
    return this.rows.hasAny(this.keysOf(parent));
  }

  /** Synchronous on SQLite, except for slow lists, deep pages and walks to announce. Cursors are bound to `path`. */
  list(request: ListRequest, path: string, parent?: ParentKeys): MaybePromise<ListResponse<Resource>> {
    return this.reader.list(request, path, this.keysOf(parent));
  }

  /**
   * @param path Path of the collection.
   * @throws {ConflictError} 409
   * @throws {IdempotencyKeyReusedError} 422
   */
  async create(
    input: Input,
    path: string,
    repeatable?: RepeatableRequest,
    parent?: ParentKeys,
    origin?: Origin,
  ): Promise<Created<Resource>> {
    const keys = this.keysOf(parent);
    if (this.definition.rules?.create !== undefined) {
      return this.ruled.create(input, keys, { path, repeatable, origin });
    }
    const fields = { ...(input as Fields<Resource, Hidden>), ...keys };
    try {
      if (repeatable !== undefined) {
        const insert = (tx: Transaction): Promise<Tagged<Resource>> => this.inserted(tx, { fields }, origin?.caller);
        return await this.createOnce(insert, { path, repeatable, origin });
      }
      const row = await this.rows.add({ own: this.definition.storeNew(fields), origin });
      return new CreatedRow(this.definition, row, `${path}/${row.id}`);
    } catch (error) {
      throw this.toParentNotFound(await this.refusalOf(error, { row: () => this.definition.storeNew(fields) }));
    }
  }

  /**
   * @throws {ResourceNotFoundError} 404
   * @throws {PreconditionFailedError} 412
   */
  async replace(
    id: string,
    input: Input,
    precondition: Precondition,
    parent?: ParentKeys,
    origin?: Origin,
  ): Promise<Tagged<Resource>> {
    const keys = this.keysOf(parent);
    if (this.definition.rules?.replace !== undefined) return this.ruled.replace(id, input, precondition, keys, origin);
    const values = this.definition.store({ ...(input as Fields<Resource, Hidden>), ...keys });
    let before: VersionedRow | undefined;
    const work = (tx: Transaction): MaybePromise<VersionedRow> =>
      thenMaybe(this.rows.lock(tx, id), (found) => {
        before = this.requireFound(found, keys);
        precondition?.(etagOf(before, this.definition));
        return this.rows.update(tx, before, values, undefined, origin?.caller);
      });
    try {
      return new WrittenRow(this.definition, await this.rows.writeOne(work, origin));
    } catch (error) {
      throw await this.refusalOf(error, { row: () => ({ ...before, ...values }), before, caller: origin?.caller });
    }
  }

  /**
   * @throws {ResourceNotFoundError} 404
   * @throws {PreconditionFailedError} 412
   */
  async remove(id: string, precondition?: Precondition, parent?: ParentKeys, origin?: Origin): Promise<void> {
    const keys = this.keysOf(parent);
    if (this.definition.rules?.remove !== undefined) return this.ruled.remove(id, precondition, keys, origin);
    const work = (tx: Transaction): MaybePromise<Stamp> =>
      thenMaybe(this.rows.lock(tx, id), (found) => {
        const current = this.requireFound(found, keys);
        precondition?.(etagOf(current, this.definition));
        return this.rows.remove(tx, current);
      });
    await this.rows.writeOne(work, origin);
  }

  /**
   * Runs reads and writes of any collections in one {@link Database.transaction}.
   * @example
   * await books.transaction(async (tx) => {
   *   await books.update(tx, id, { lent: true }, precondition);
   *   await loans.insert(tx, { book_id: id });
   * });
   */
  transaction<Result>(
    work: (tx: Transaction) => Promise<Result>,
    { origin }: TransactionOptions = {},
  ): Promise<Result> {
    return this.database.transaction(work, origin);
  }

  /**
   * Runs a {@link transaction} that creates a member. A repeated request gets the stored response instead. SPEC §4.4
   * @throws {ConflictError} 409
   * @throws {IdempotencyKeyReusedError} 422
   */
  createOnce<Created extends HasId>(
    work: (tx: Transaction) => Promise<Tagged<Created>>,
    { path, repeatable, replay = 'replayable', origin }: CreationRequest,
  ): Promise<IdempotentCreation<Created>> {
    const creation = async (tx: Transaction): Promise<Creation<Created>> => {
      const { resource, etag } = await work(tx);
      return { resource, etag, location: `${path}/${resource.id}` };
    };
    return this.idempotency.run(repeatable, replay, creation, origin);
  }

  /**
   * Inserts a member without running rules. Omitted fields get the default of the collection, or null.
   * @param fields Later objects override earlier ones.
   * @throws {ValidationError} 422
   */
  async insert(tx: Transaction, ...fields: readonly Fields<Resource, Hidden>[]): Promise<Tagged<Resource>> {
    const whole = Object.assign({}, ...fields) as Fields<Resource, Hidden>;
    const { stored } = this.definition;
    return this.inserted(tx, { fields: stored === undefined ? whole : validateStored(stored, whole) });
  }

  insertWithId(tx: Transaction, id: string, fields: Fields<Resource, Hidden>): Promise<Tagged<Resource>> {
    return this.inserted(tx, { fields, past: { id } });
  }

  async insertAll(tx: Transaction, members: readonly NewMember<Resource, Hidden>[]): Promise<readonly Resource[]> {
    const rows = members.map(({ fields, past }) => ({ own: this.definition.storeNew(fields), ...(past && { past }) }));
    try {
      return (await this.rows.insertAll(tx, rows)).map((row) => this.definition.present(row));
    } catch (error) {
      throw uniqueConflict(error, this.definition);
    }
  }

  /**
   * Locks a member until the transaction ends.
   * @throws {ResourceNotFoundError} 404
   */
  async lock(tx: Transaction, id: string): Promise<Resource> {
    return this.definition.present(this.requireFound(await this.rows.lock(tx, id), ALL_PARENTS));
  }

  /**
   * Changes some fields without running rules.
   * @throws As {@link replace}, and {ValidationError} 422.
   */
  async update(
    tx: Transaction,
    id: string,
    fields: Fields<Resource, Hidden>,
    precondition: Precondition,
    parent?: ParentKeys,
    note?: AuditNote,
  ): Promise<Tagged<Resource>> {
    const { stored, store } = this.definition;
    const values = store(stored === undefined ? fields : validateChange(stored, fields));
    const decide = (_current: VersionedRow, etag: string): Values => {
      precondition?.(etag);
      return values;
    };
    return this.tagged(await this.change(tx, id, decide, parent, note));
  }

  /**
   * Changes fields of a locked member depending on its state.
   * @param decide Throws to refuse the change.
   * @throws {ResourceNotFoundError} 404
   */
  async lockAndUpdate(
    tx: Transaction,
    id: string,
    decide: (current: StoredMember<Resource, Hidden>, etag: string) => Fields<Resource, Hidden>,
    parent?: ParentKeys,
    note?: AuditNote,
  ): Promise<Tagged<Resource>> {
    const { read, store } = this.definition;
    return this.tagged(await this.change(tx, id, (current, etag) => store(decide(read(current), etag)), parent, note));
  }

  /** Updates a member without changing `updated_at` and without an event. Ignores a missing member. */
  async updateKeepingTime(tx: Transaction, id: string, fields: Fields<Resource, Hidden>): Promise<void> {
    const current = await this.rows.lock(tx, id);
    if (current !== undefined) await this.rows.update(tx, current, this.definition.store(fields), 'quiet');
  }

  /** Fills computed fields of older members. Call this at the start. */
  async fillComputed(): Promise<void> {
    const { name, computed } = this.definition;
    if (computed === undefined) return;
    const isMissing = computed.names.map((column) => `${sqlName(column)} IS NULL`).join(' OR ');
    const sql = `SELECT id FROM ${sqlName(name)} WHERE ${isMissing} LIMIT ${String(FILL_BATCH)}`;
    for (;;) {
      const members = await this.database.query<{ id: string }>(sql);
      if (members.length === 0) return;
      await this.database.transaction(async (tx) => {
        for (const { id } of members) await this.updateKeepingTime(tx, id, {});
      });
    }
  }

  async note(tx: Transaction, id: string, note: AuditNote): Promise<void> {
    const current = await this.rows.lock(tx, id);
    if (current !== undefined) await this.rows.note(tx, current, note);
  }

  async delete(
    tx: Transaction,
    id: string,
    precondition: Precondition,
    parent?: ParentKeys,
    note?: AuditNote,
  ): Promise<void> {
    const keys = this.keysOf(parent);
    const current = this.requireFound(await this.rows.lock(tx, id), keys);
    precondition?.(etagOf(current, this.definition));
    await this.rows.remove(tx, current, note);
  }

  /** Turns foreign key violations into 404: the parent may be deleted after the path check. */
  private toParentNotFound(error: unknown): unknown {
    const { foreignKey } = this.definition;
    if (foreignKey === undefined || !isForeignKeyViolation(error)) return error;
    return new ResourceNotFoundError(foreignKey.singular);
  }

  private async inserted(
    tx: Transaction,
    { fields, past }: NewMember<Resource, Hidden>,
    caller?: RuleCaller,
  ): Promise<Tagged<Resource>> {
    try {
      return this.tagged(await this.rows.insert(tx, this.definition.storeNew(fields), past, caller));
    } catch (error) {
      throw uniqueConflict(error, this.definition);
    }
  }

  /**
   * Returns the error that the caller gets. An unknown reference takes precedence over 412. An unknown reference or a
   * conflict takes precedence over the error of a rule. The first of several conflicts is named.
   */
  private async refusalOf(
    error: unknown,
    { row, before, caller, isThrownByRule = false }: RefusedWrite,
  ): Promise<unknown> {
    if (isThrownByRule || error instanceof PreconditionFailedError) {
      const unknown = await this.rows.unknownReferenceError(row(), before, caller);
      if (unknown !== undefined) return unknown;
    }
    if (isThrownByRule) {
      const [taken] = await firstConflicts(this.database, this.definition, [row()]);
      if (taken !== undefined) return new NotUniqueError(this.definition, taken.fields);
    }
    const refusal = uniqueConflict(error, this.definition);
    const { name, unique = [] } = this.definition;
    if (!(refusal instanceof NotUniqueError) || refusal.collection !== name || unique.length < 2) return refusal;
    const [first] = await firstConflicts(this.database, this.definition, [row()]);
    return first === undefined ? refusal : new NotUniqueError(this.definition, first.fields);
  }

  private async change(
    tx: Transaction,
    id: string,
    decide: (current: VersionedRow, etag: string) => Values,
    parent: ParentKeys | undefined,
    note: AuditNote | undefined,
  ): Promise<VersionedRow> {
    const keys = this.keysOf(parent);
    try {
      const current = this.requireFound(await this.rows.lock(tx, id), keys);
      return await this.rows.update(tx, current, decide(current, etagOf(current, this.definition)), note);
    } catch (error) {
      throw uniqueConflict(error, this.definition);
    }
  }

  private getFrom(database: Database, id: string, parent: ParentKeys): MaybePromise<Tagged<Resource>> {
    if (!ROW_ID.test(id)) throw this.notFound;
    return thenMaybe(database.readValues(this.rows.selectSql, [id]), ([values]: readonly RowValues[]) => {
      if (values === undefined) throw this.notFound;
      for (const column in parent) {
        if (values[this.positions.get(column) ?? -1] !== parent[column]) throw this.notFound;
      }
      return new LazyRow(this.definition, values);
    });
  }

  private requireFound(row: VersionedRow | undefined, parentKeys: ParentKeys): VersionedRow {
    if (row === undefined) throw this.notFound;
    for (const column in parentKeys) if (row[column] !== parentKeys[column]) throw this.notFound;
    return row;
  }

  private keysOf(keys: ParentKeys | undefined): ParentKeys {
    const { name, parent: column } = this.definition;
    if (column === undefined) return keys ?? ALL_PARENTS;
    if (keys === undefined || (keys !== ALL_PARENTS && typeof keys[column] !== 'string')) {
      throw new Error(
        `The collection "${name}" is nested: pass { ${column}: … }, or ALL_PARENTS for the members of all parents.`,
      );
    }
    return keys;
  }

  private tagged(row: VersionedRow): Tagged<Resource> {
    return { resource: this.definition.present(row), etag: etagOf(row, this.definition) };
  }
}
