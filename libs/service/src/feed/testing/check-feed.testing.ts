import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Database } from '../../data/database/database.js';
import type { DatabaseUnderTest } from '@items/testing';

import type { FeedMutant } from './feed-mutants.testing.js';
import { auditOf, eventsOf, Follower, type ReadFeed } from './follower.testing.js';
import { countFeedFaults, judgeAudit, judgeFeed, type FeedFaults } from './judge-feed.testing.js';
import { AUDITED, Library, openLibrary } from './library.testing.js';
import { otherInstance } from './writing-process.testing.js';
import { Writer, type Write } from './writers.testing.js';

const WRITERS_EACH = 8;
const FOLLOWERS = 4;
/** Minimum number of acknowledged writes in a run. */
const ENOUGH = 40;
/** Maximum extension of a run that has too few writes. */
const LONGER_MS = 20_000;
/** Maximum clock difference between writers of one process, which stand for several machines. */
const SKEW_MS = 2000;
/** Maximum delay until an event is listed. SPEC §6.1 */
const LISTED_WITHIN_MS = 5000;
/** Maximum time until PostgreSQL has ended the transactions of a killed instance, on a busy machine. */
const ENDED_WITHIN_MS = 60_000;

export interface FeedReport {
  readonly events: number;
  readonly faults: FeedFaults;
}

/**
 * Runs sixteen writers on two instances, one of which is killed during its work, and four followers on two instances.
 * All must see the same sequence: that of the acknowledged writes.
 * @param seconds Duration of the writes. @param mutant A fault in this process, which is then the only writer.
 */
export async function checkFeed(
  { database, config }: DatabaseUnderTest<Database>,
  { seconds, mutant }: { seconds: number; mutant?: FeedMutant },
): Promise<FeedReport> {
  const restore = skewClocks();
  const second = await openLibrary(config);
  const libraries = [
    await Library.begun(mutant?.writersUse?.(database) ?? database, AUDITED, 'related'),
    await Library.begun(second, AUDITED, 'related'),
  ] as const;
  const [events, audit] = [eventsOf(libraries[1]), auditOf(libraries[1])];
  const [begun, recordedFrom] = [await endOf(events), await endOf(audit)];
  const before = await storedEvents(database);
  const other = mutant === undefined ? await otherInstance({ config, writers: WRITERS_EACH }) : undefined;
  const told = new Map<string, Write>();
  let isRead: (seen: number) => boolean = () => false;
  const endsAt = performance.now() + seconds * 1000;
  // On a busy machine, the writers continue until they have written enough.
  const isOver = () => performance.now() > endsAt && (told.size > ENOUGH || performance.now() > endsAt + LONGER_MS);
  const writers = Array.from({ length: other === undefined ? 2 * WRITERS_EACH : WRITERS_EACH }, (_, slot) => {
    const name = `own${String(slot)}`;
    const writer = new Writer(libraries[0], name, (number, write) => told.set(`${name} ${String(number)}`, write));
    const skewMs = Math.round((Math.random() * 2 - 1) * SKEW_MS);
    return skewed.run(skewMs, () => writer.writeUntil(isOver));
  });
  const followers = Array.from(
    { length: FOLLOWERS },
    (_, slot) => new Follower(eventsOf(libraries[slot % 2 === 0 ? 0 : 1]), begun),
  );
  const auditor = new Follower(audit, recordedFrom);
  const following = [...followers, auditor].map((follower) => follower.followUntil((seen) => isRead(seen)));
  try {
    await sleep(seconds * 600);
    const others = (await other?.kill()) ?? [];
    await Promise.all(writers);
    await noOpenWrites(database);
    const stored = (await storedEvents(database)) - before;
    // A fault may hide an event for ever.
    const giveUpAt = performance.now() + (mutant === undefined ? LISTED_WITHIN_MS : 0);
    isRead = (seen) => seen >= stored || performance.now() > giveUpAt;
    await Promise.all(following);
    const writes = [...told.values(), ...others];
    const sequences = [...followers.map(({ seen }) => seen), ...(await wholeWalks(events, begun))];
    const records = [auditor.seen, ...(await wholeWalks(audit, recordedFrom))];
    const faults = { ...judgeFeed(sequences, writes), ...judgeAudit(records, sequences[0] ?? [], writes) };
    return { events: sequences[0]?.length ?? 0, faults };
  } finally {
    isRead = () => true;
    await other?.kill();
    await Promise.allSettled([...writers, ...following]);
    await second.close();
    restore();
  }
}

/** Repeats the check until a fault has an effect. @param times Maximum number of runs. */
export async function provokeFaults(
  under: DatabaseUnderTest<Database>,
  mutant: FeedMutant,
  times: number,
): Promise<FeedReport> {
  let report = await checkFeed(under, { seconds: 1, mutant });
  for (let n = 1; n < times && countFeedFaults(report.faults) === 0; n++) {
    report = await checkFeed(under, { seconds: 2, mutant });
  }
  return report;
}

/** Waits until PostgreSQL notices the end of the killed instance, whose open writes delay the feed. */
async function noOpenWrites(database: Database): Promise<void> {
  if (database.dialect === 'sqlite') return;
  const open = 'SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND backend_xid IS NOT NULL';
  const endsAt = performance.now() + ENDED_WITHIN_MS;
  while ((await database.query(open)).length > 0) {
    if (performance.now() > endsAt) throw new Error('Transactions of the killed instance are still open.');
    await sleep(10);
  }
}

async function storedEvents(database: Database): Promise<number> {
  const [row] = await database.query<{ n: number }>("SELECT count(*) AS n FROM events WHERE type <> 'gap'");
  return Number(row?.n);
}

async function endOf(read: ReadFeed<unknown>): Promise<string> {
  return (await read({ limit: 1, descending: true })).after;
}

/** Reads all entries from the beginning, and in reverse from the end. */
async function wholeWalks<Member>(read: ReadFeed<Member>, after: string): Promise<Member[][]> {
  const walks = [false, true].map(async (descending) => {
    const events: Member[] = [];
    let cursor: string | undefined;
    do {
      const request = { limit: 100, descending, after, ...(cursor !== undefined && { cursor }) };
      const page = await read(request);
      events.push(...page.members);
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    return descending ? events.reverse() : events;
  });
  return Promise.all(walks);
}

/** Clock error of the current asynchronous context, in milliseconds. */
const skewed = new AsyncLocalStorage<number>();

function skewClocks(): () => void {
  const realNow = Date.now;
  Date.now = () => realNow() + (skewed.getStore() ?? 0);
  return () => (Date.now = realNow);
}
