import { ExpiredCursorError } from '@items/errors';
import type { Database, Dialect, RowValues, Transaction } from '@items/store';

import { LaneClock } from '../lane-clock.js';
import { STAMP_RELATION, type Stamp, type StampedWrite, textOf } from '../stamp-terms.js';
import type { Adjustment } from '../totals.js';
import type { Place, Snapshot } from '../bindings.js';
import { Parameters } from '../parameters.js';
import { readOf } from '../row-scan.js';
import { parseSnapshot, seenSql, snapshotSql } from '../snapshot.js';
import { Walk, type WalkStep } from '../walk.js';
import { withMethods } from './interleaved.testing.js';

/** A fault that somebody might make. A checker that does not notice it checks nothing. */
export interface Mutant {
  readonly name: string;
  /** Puts the fault into the code. @returns what takes it out again. */
  install(): () => void;
  /** Where it is a fault on one of the databases only. */
  readonly dialect?: Dialect;
  /** For a fault that lies in how writers use the database. */
  writersUse?(database: Database): Database;
}

/** Replaces a method of a class. */
function swap<Class extends object, Name extends keyof Class>(
  prototype: Class,
  name: Name,
  fault: (original: Class[Name]) => Class[Name],
): () => void {
  const original = prototype[name];
  prototype[name] = fault(original);
  return () => (prototype[name] = original);
}

function step(rows: readonly RowValues[], limit: number): WalkStep {
  return { rows: rows.slice(0, limit), more: rows.length > limit };
}

async function readCurrent(
  walk: Walk,
  limit: number,
  after?: Place,
  snapshot?: Snapshot,
): Promise<readonly RowValues[]> {
  const { collection: table, columns, filter, ordering } = walk['plan'];
  const { dialect } = walk['database'];
  const only = snapshot && ((params: Parameters) => [seenSql(dialect, params)]);
  const read = readOf(dialect, { table, columns, filter, ordering, after, only, limit: limit + 1 });
  return read(walk['database'], { snapshot });
}

async function snapshotNow(walk: Walk): Promise<Snapshot> {
  const database: Database = walk['database'];
  const params = new Parameters();
  const sql = `SELECT ${snapshotSql(database.dialect, walk['plan'].collection, params)} AS value`;
  const [found] = await database.query<{ value: string }>(sql, params.values);
  return parseSnapshot(String(found?.value));
}

const plainKeyset: Mutant = {
  name: 'plain keyset',
  install: () =>
    swap(
      Walk.prototype,
      'resume',
      () =>
        async function (this: Walk, after, _snapshot, limit) {
          return step(await readCurrent(this, limit, after), limit);
        },
    ),
};

const noVersions: Mutant = {
  name: 'no version branch',
  install: () =>
    swap(
      Walk.prototype,
      'resume',
      () =>
        async function (this: Walk, after, snapshot, limit) {
          return step(await readCurrent(this, limit, after, snapshot), limit);
        },
    ),
};

const lateSnapshot: Mutant = {
  name: 'snapshot read in a second statement',
  install: () =>
    swap(
      Walk.prototype,
      'begin',
      () =>
        async function (this: Walk, limit) {
          const rows = await readCurrent(this, limit);
          return { ...step(rows, limit), snapshot: await snapshotNow(this) };
        },
    ),
};

const emptyPagesNeverExpire: Mutant = {
  name: 'expiry dropped on empty pages',
  install: () =>
    swap(
      Walk.prototype,
      'resume',
      (original) =>
        async function (this: Walk, after, snapshot, limit) {
          try {
            return await original.call(this, after, snapshot, limit);
          } catch (error) {
            const rows = await readCurrent(this, limit, after, snapshot);
            if (!(error instanceof ExpiredCursorError) || rows.length > 0) throw error;
            return step([], limit);
          }
        },
    ),
};

/** Stamps of the running transactions, taken and committed before they began. */
const reserved = new WeakMap<Transaction, Stamp[]>();

const unlockedClock: Mutant = {
  name: 'sequence without the lock',
  install: () =>
    swap(
      LaneClock.prototype,
      'write',
      () =>
        async function (this: LaneClock, tx, { collection, writes, adjustments }) {
          const stamp = reserved.get(tx)?.shift();
          if (stamp === undefined) throw new Error('More writes than stamps.');
          await writeWith(tx, stamp, [...writes, ...adjustments.map((each) => adjustmentOf(collection, each))]);
          return stamp;
        },
    ),
  writersUse: (database) => {
    const transaction = reserving(database);
    return withMethods(database, { transaction, transactionOfOne: transaction });
  },
};

function reserving(database: Database): Database['transaction'] {
  return async (work) => {
    const [last] = await database.transaction((tx) =>
      tx.query<Stamp>(
        `UPDATE collection_lanes SET seq = seq + 1000000 WHERE collection = 'items' AND lane = $1 RETURNING lane, seq`,
        [database.dialect === 'sqlite' ? 0 : Math.floor(Math.random() * 16)],
      ),
    );
    return database.transaction((tx) => {
      reserved.set(
        tx,
        Array.from({ length: 1000 }, (_, index) => ({ ...last!, seq: last!.seq - 999 + index })),
      );
      return work(tx);
    });
  };
}

/** A counter adjusted, on both databases. */
function adjustmentOf(collection: string, { group, by }: Adjustment): StampedWrite {
  return {
    shape: `count ${String(by)}`,
    values: [collection, group],
    text: (placeholders, stamp) => {
      const row = stamp.row([...placeholders.map((each) => `CAST(${each} AS text)`), stamp.lane, String(by)]);
      return `INSERT INTO collection_counts (collection, grp, lane, n) ${row} WHERE TRUE
        ON CONFLICT (collection, grp, lane) DO UPDATE SET n = collection_counts.n + excluded.n`;
    },
  };
}

async function writeWith(tx: Transaction, stamp: Stamp, writes: readonly StampedWrite[]): Promise<void> {
  for (const write of writes) {
    await tx.query(
      `WITH stamp (lane, seq) AS (SELECT CAST($1 AS smallint), CAST($2 AS bigint)) ${textOf(write, 3, STAMP_RELATION)}`,
      [stamp.lane, stamp.seq, ...write.values],
    );
  }
}

const unannounced: Mutant = {
  name: 'walks that writers are not told of',
  dialect: 'sqlite',
  install: () =>
    swap(
      Walk.prototype,
      'begin',
      () =>
        async function (this: Walk, limit) {
          return this['first'](limit);
        },
    ),
};

const announcedLate: Mutant = {
  name: 'walks that writers are told of after the first page',
  dialect: 'sqlite',
  install: () =>
    swap(
      Walk.prototype,
      'begin',
      () =>
        async function (this: Walk, limit) {
          const first = await this['first'](limit);
          if (!first.isAnnounced) await this['announcer'].announce();
          return first;
        },
    ),
};

/**
 * The faults that issue and design name. The unlocked clock comes last: it hurries ahead of the time, so that all walks
 * after it begin within one lease.
 */
export const mutants: readonly Mutant[] = [
  plainKeyset,
  lateSnapshot,
  noVersions,
  unannounced,
  announcedLate,
  unlockedClock,
];
/** Shows only where a walk has expired: see check-expiry. */
export const expiryMutant = emptyPagesNeverExpire;
