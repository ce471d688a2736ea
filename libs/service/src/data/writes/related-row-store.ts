import { thenMaybe, type MaybePromise } from '@items/conventions';
import { ROWS_PER_BATCH } from '../database/batched.js';
import type { Database, Transaction } from '../database/database.js';
import type { RuleCaller } from '../database/origin.js';
import type { VersionedRow } from '../database/versioned-row.js';
import type { AuditNote, ChangeRecorder } from '../definition/change-recorder.js';
import type { CollectionDefinition, Values } from '../definition/collection.js';
import type { Referrer, StoredReference } from '../definition/references.js';
import type { Stamp } from '../definition/stamp-terms.js';
import type { Totals } from '../lists/totals.js';
import { firstReferrer, referencedError, unknownReferenceError, unknownReferences } from './reference-checks.js';
import { type NewRow, type Past, RowStore } from './row-store.js';
import { NeedsTransactionError } from './stamped-writer.js';

type RelatedCollection = Pick<
  CollectionDefinition<never, never>,
  'name' | 'singular' | 'columns' | 'computed' | 'references'
>;

/**
 * A write locks the targets of its references, and a deletion locks its row before it searches for references. So
 * either a write or a concurrent deletion of its target fails.
 */
export class RelatedRowStore extends RowStore {
  private readonly singular: string;
  private readonly references: readonly StoredReference[];

  constructor(
    database: Database,
    collection: RelatedCollection,
    totals: Totals,
    recorder: ChangeRecorder | undefined,
    private readonly referrers: readonly Referrer[],
  ) {
    super(database, collection, totals, recorder);
    this.singular = collection.singular;
    this.references = collection.references ?? [];
  }

  override add({ own, past, origin }: NewRow): Promise<VersionedRow> {
    const insert = (tx: Transaction): Promise<VersionedRow> => this.insert(tx, own, past, origin?.caller);
    return this.dialect === 'sqlite'
      ? this.database.autocommit(insert, origin)
      : this.database.transaction(insert, origin);
  }

  override async insert(tx: Transaction, own: Values, past?: Past, caller?: RuleCaller): Promise<VersionedRow> {
    await this.requireTargets(tx, this.references, [own], caller);
    return super.insert(tx, own, past);
  }

  override async insertAll(tx: Transaction, added: readonly NewRow[]): Promise<readonly VersionedRow[]> {
    if (added.length <= ROWS_PER_BATCH) {
      const rows = added.map(({ own }) => own);
      const ids = added.map(({ past }) => past?.id);
      await this.requireTargets(tx, this.references, rows, undefined, ids);
    }
    return super.insertAll(tx, added);
  }

  override async update(
    tx: Transaction,
    current: VersionedRow,
    own: Values,
    note?: AuditNote | 'quiet',
    caller?: RuleCaller,
  ): Promise<VersionedRow> {
    await this.requireTargets(tx, this.changed(own, current), [own], caller);
    return super.update(tx, current, own, note);
  }

  override remove(tx: Transaction, current: VersionedRow, note?: AuditNote): MaybePromise<Stamp> {
    if (this.referrers.length === 0) return super.remove(tx, current, note);
    requireTransaction(tx);
    return thenMaybe(firstReferrer(tx, this.table, current.id, this.referrers), (referrer) => {
      if (referrer !== undefined) throw referencedError(this.singular, referrer);
      return super.remove(tx, current, note);
    });
  }

  override async unknownReferenceError(
    own: Values,
    current?: VersionedRow,
    caller?: RuleCaller,
  ): Promise<Error | undefined> {
    const changed = current === undefined ? this.references : this.changed(own, current);
    const [unknown] = await unknownReferences(this.database, this.dialect, changed, [own], caller);
    return unknown && unknownReferenceError(unknown);
  }

  override async referencedError(id: string): Promise<Error | undefined> {
    if (this.referrers.length === 0) return undefined;
    const referrer = await firstReferrer(this.database, this.table, id, this.referrers);
    return referrer && referencedError(this.singular, referrer);
  }

  private changed(own: Values, current: VersionedRow): readonly StoredReference[] {
    return this.references.filter(({ column }) => (own[column] ?? current[column]) !== current[column]);
  }

  /** @param ids Ids of new `rows`: a row may refer to an earlier row of `rows`, not stored yet. */
  private async requireTargets(
    tx: Transaction,
    references: readonly StoredReference[],
    rows: readonly Values[],
    caller?: RuleCaller,
    ids: readonly (string | undefined)[] = [],
  ): Promise<void> {
    if (references.length === 0) return;
    requireTransaction(tx);
    const unknown = await unknownReferences(tx, this.dialect, references, rows, caller);
    for (const [index, reference] of unknown.entries()) {
      if (reference === undefined) continue;
      const isEarlier = ids.slice(0, index).includes(String(rows[index]?.[reference.column]));
      if (!(isEarlier && reference.target().name === this.table)) throw unknownReferenceError(reference);
    }
  }
}

/**
 * On PostgreSQL, the lock of an autocommit statement ends with the statement, so references are checked in a
 * transaction.
 */
function requireTransaction({ isAutocommit }: Transaction): void {
  if (isAutocommit === true) throw new NeedsTransactionError();
}
