import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

import { ClockSql } from '../../data/writes/clock-sql.js';
import type { RecordedChange } from '../../data/definition/change-recorder.js';
import { STAMP_RELATION, type StampedWrite, sqlOf } from '../../data/definition/stamp-terms.js';
import type { Database, SqlValue, Transaction } from '../../data/database/database.js';
import type { Dialect } from '../../data/schema/dialect.js';

import { AuditRecorder } from '../audit/audit-recorder.js';
import { EventRecorder } from '../event-recorder.js';
import { FeedClock } from '../feed-clock.js';
import type { FeedTable } from '../feed-table.js';

/** A plausible fault, which the check of the feed must find. */
export interface FeedMutant {
  readonly name: string;
  /** Databases on which the fault has an effect. */
  readonly on: readonly Dialect[];
  /** @returns A function that removes the fault. */
  install(): () => void;
  /** For a fault in how writers use the database. */
  writersUse?(database: Database): Database;
}

type AnyClock = Record<string, (...given: never[]) => unknown>;
const BOTH: readonly Dialect[] = ['sqlite', 'postgres'];

/** Replaces a method, private or not. */
function swap(prototype: object, name: string, fault: (original: never) => unknown): () => void {
  const methods = prototype as AnyClock;
  const original = methods[name];
  if (original === undefined) throw new Error(`There is no ${name} to be replaced.`);
  methods[name] = fault(original as never) as AnyClock[string];
  return () => (methods[name] = original);
}

const noClock: FeedMutant = {
  name: 'the end of the feed without its clocks',
  on: ['postgres'],
  install: () =>
    swap(
      FeedClock.prototype,
      'state',
      (original: (database: Database) => Promise<object>) =>
        async function (this: { readonly table: FeedTable }, database: Database) {
          const state = await original.call(this, database);
          const { name } = this.table;
          const [last] = await database.query<{ id: string }>(`SELECT id FROM ${name} ORDER BY id DESC LIMIT 1`);
          return { ...state, end: last?.id };
        },
    ),
};

const neighboursUnderWay: FeedMutant = {
  name: 'visible before its neighbour’s commit',
  on: ['postgres'],
  install: () =>
    swap(
      FeedClock.prototype,
      'state',
      (original: (database: Database) => Promise<object>) =>
        function (this: FeedClock, database: Database) {
          // Uses the highest clock instead of the lowest, as if no lane were busy.
          const query = (sql: string, params?: readonly never[]): Promise<unknown[]> =>
            database.query(sql.replace('min(greatest(seq, tick))', 'max(greatest(seq, tick))'), params);
          return original.call(this, { query } as unknown as Database);
        },
    ),
};

const ownLaneOnly: FeedMutant = {
  name: 'a stamp that is not above the other lanes',
  on: BOTH,
  install: () =>
    swap(
      ClockSql.prototype,
      'next',
      () =>
        function (this: { readonly dialect: Dialect }, now: string) {
          return `${this.dialect === 'sqlite' ? 'max' : 'greatest'}(seq + 1, tick + 1, ${now})`;
        },
    ),
};

/** Events of the current transaction, which are written in a second one. */
const postponed = new AsyncLocalStorage<StampedWrite[]>();

const secondTransaction: FeedMutant = {
  name: 'the event in a second transaction',
  on: BOTH,
  install: () =>
    swap(
      EventRecorder.prototype,
      'record',
      (original: (change: RecordedChange, tail: string) => StampedWrite) =>
        function (this: EventRecorder<never>, change: RecordedChange, tail: string) {
          postponed.getStore()?.push(original.call(this, change, tail));
          return { shape: 'no event', values: [], text: () => 'UPDATE collection_lanes SET n = n WHERE FALSE' };
        },
    ),
  writersUse: (database) =>
    new Proxy(database, {
      get: (target, property) => {
        const value: unknown = property === 'transaction' ? inTwo(target) : Reflect.get(target, property);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    }),
};

function inTwo(database: Database): Database['transaction'] {
  return async <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => {
    const events: StampedWrite[] = [];
    const result = await database.transaction((tx) => {
      events.length = 0;
      return postponed.run(events, () => work(forgetful(tx, events)));
    });
    // Other writes may happen between the two transactions.
    await sleep(Math.random() * 5);
    for (const event of events) await database.transaction((tx) => writeNow(tx, event));
    return result;
  };
}

/** Drops the events of a savepoint that is rolled back. */
function forgetful(tx: Transaction, events: StampedWrite[]): Transaction {
  return {
    ...(tx.run && { run: <Row>(sql: string, params?: readonly SqlValue[]) => tx.run?.<Row>(sql, params) ?? [] }),
    query: (sql, params) => tx.query(sql, params),
    savepoint: async (work) => {
      const { length } = events;
      try {
        return await tx.savepoint(work);
      } catch (error) {
        events.length = length;
        throw error;
      }
    },
  };
}

async function writeNow(tx: Transaction, event: StampedWrite): Promise<void> {
  const now = 'WITH stamp (seq) AS (SELECT max(seq) FROM collection_lanes)';
  await tx.query(`${now} ${sqlOf(event, 1, STAMP_RELATION)}`, event.values);
  // A commit may be slow, and no lane delays the feed meanwhile.
  await sleep(Math.random() * 20);
}

const unrecorded: FeedMutant = {
  name: 'a change without its record, now and then',
  on: BOTH,
  install: () =>
    swap(
      AuditRecorder.prototype,
      'record',
      (original: (change: RecordedChange, tail: string) => StampedWrite) =>
        function (this: AuditRecorder<never>, change: RecordedChange, tail: string) {
          return Math.random() < 0.05 ? undefined : original.call(this, change, tail);
        },
    ),
};

const otherActor: FeedMutant = {
  name: 'a record of another actor',
  on: BOTH,
  install: () => {
    let last: RecordedChange['origin'];
    return swap(
      AuditRecorder.prototype,
      'record',
      (original: (change: RecordedChange, tail: string) => StampedWrite) =>
        function (this: AuditRecorder<never>, change: RecordedChange, tail: string) {
          const origin = last ?? change.origin;
          last = change.origin;
          return original.call(this, { ...change, origin }, tail);
        },
    );
  },
};

export const feedMutants: readonly FeedMutant[] = [
  ...[noClock, ownLaneOnly, secondTransaction, neighboursUnderWay],
  ...[unrecorded, otherActor],
];
