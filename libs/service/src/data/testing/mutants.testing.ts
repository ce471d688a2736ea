import { ExpiredCursorError } from '@items/conventions';
import type { Database, RowValues, Transaction, ValueReader } from '../database/database.js';
import type { Dialect } from '../schema/dialect.js';

import { StampedWriter } from '../writes/stamped-writer.js';
import { STAMP_RELATION, type Stamp, type StampedWrite, sqlOf } from '../definition/stamp-terms.js';
import type { Adjustment } from '../lists/totals.js';
import { Parameters, type Snapshot, type SortPosition } from '../lists/page-statement.js';
import { readOf } from '../lists/row-scan.js';
import { parseSnapshot, seenSql, snapshotSql } from '../lists/snapshot.js';
import { Walk, type WalkStep } from '../lists/walk.js';
import { withMethods } from './interleaved.testing.js';

/** A plausible fault. A checker that does not find it is useless. */
export interface Mutant {
  readonly name: string;
  /** @returns A function that removes the fault. */
  install(): () => void;
  /** Set if it is a fault on this database only. */
  readonly dialect?: Dialect;
  /** Wraps the database of the writers, if the fault is in their use of it. */
  writersUse?(database: Database): Database;
}

export function swap<Class extends object, Name extends keyof Class>(
  prototype: Class,
  name: Name,
  fault: (original: Class[Name]) => Class[Name],
): () => void {
  const original = prototype[name];
  prototype[name] = fault(original);
  return () => (prototype[name] = original);
}

function step(rows: readonly RowValues[], limit: number, snapshot: Snapshot): WalkStep {
  return { rows: rows.slice(0, limit), more: rows.length > limit, snapshot };
}

/** Returns current rows in the order of a walk. */
export async function readCurrent(
  walk: Walk,
  reader: ValueReader,
  limit: number,
  after?: SortPosition,
  snapshot?: Snapshot,
): Promise<readonly RowValues[]> {
  const { dialect } = reader;
  const only = snapshot && ((params: Parameters) => [seenSql(dialect, params)]);
  const read = readOf({ ...walk['plan'], after, only, limit: limit + 1 });
  return read(reader, { snapshot });
}

async function snapshotNow(walk: Walk, reader: ValueReader): Promise<Snapshot> {
  const params = new Parameters();
  const sql = `SELECT ${snapshotSql(reader.dialect, walk['plan'].table, params)} AS value`;
  const [found] = await reader.readValues(sql, params.values);
  return parseSnapshot(String(found?.[0]));
}

const plainKeyset: Mutant = {
  name: 'plain keyset',
  install: () =>
    swap(
      Walk.prototype,
      'resume',
      () =>
        async function (this: Walk, reader, after, snapshot, limit) {
          return step(await readCurrent(this, reader, limit, after), limit, snapshot);
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
        async function (this: Walk, reader, after, snapshot, limit) {
          return step(await readCurrent(this, reader, limit, after, snapshot), limit, snapshot);
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
        async function (this: Walk, reader, limit) {
          const rows = await readCurrent(this, reader, limit);
          return step(rows, limit, await snapshotNow(this, reader));
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
        async function (this: Walk, reader, after, snapshot, limit) {
          try {
            return await original.call(this, reader, after, snapshot, limit);
          } catch (error) {
            const rows = await readCurrent(this, reader, limit, after, snapshot);
            if (!(error instanceof ExpiredCursorError) || rows.length > 0) throw error;
            return step([], limit, snapshot);
          }
        },
    ),
};

/** Stamps for running transactions, from a clock that was committed before these transactions began. */
const reserved = new WeakMap<Transaction, Stamp[]>();

const unlockedClock: Mutant = {
  name: 'sequence without the lock',
  install: () =>
    swap(
      StampedWriter.prototype,
      'write',
      () =>
        async function (this: StampedWriter, tx, { collection, writes, adjustments }) {
          const stamp = reserved.get(tx)?.shift();
          if (stamp === undefined) throw new Error('More writes than stamps.');
          await writeWith(tx, stamp, [...writes, ...adjustments.map((each) => adjustmentOf(collection, each))]);
          return stamp;
        },
    ),
  writersUse: (database) => {
    const transaction = reserving(database);
    return withMethods(database, { transaction, autocommit: transaction });
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

/** Adjusts a counter on both databases. */
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
      `WITH stamp (lane, seq) AS (SELECT CAST($1 AS smallint), CAST($2 AS bigint)) ${sqlOf(write, 3, STAMP_RELATION)}`,
      [stamp.lane, stamp.seq, ...write.values],
    );
  }
}

async function firstOf(walk: Walk, reader: ValueReader, limit: number) {
  const { rows, value } = await walk['readFirst'](reader, limit);
  const { isAnnounced, ...snapshot } = parseSnapshot(String(value));
  return { ...step(rows, limit, snapshot), isAnnounced };
}

const unannounced: Mutant = {
  name: 'walks that are not announced to writers',
  dialect: 'sqlite',
  install: () =>
    swap(
      Walk.prototype,
      'begin',
      () =>
        async function (this: Walk, reader, limit) {
          return firstOf(this, reader, limit);
        },
    ),
};

const announcedLate: Mutant = {
  name: 'walks that are announced to writers after the first page',
  dialect: 'sqlite',
  install: () =>
    swap(
      Walk.prototype,
      'begin',
      () =>
        async function (this: Walk, reader, limit) {
          const first = await firstOf(this, reader, limit);
          if (!first.isAnnounced) await this['announcer'].announce();
          return first;
        },
    ),
};

/** `unlockedClock` is last: it runs ahead of the time, so all walks after it would begin within one lease. */
export const mutants: readonly Mutant[] = [
  plainKeyset,
  lateSnapshot,
  noVersions,
  unannounced,
  announcedLate,
  unlockedClock,
];
/** Has an effect only on expired walks. See check-expiry. */
export const expiryMutant = emptyPagesNeverExpire;
