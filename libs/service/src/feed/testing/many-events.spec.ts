import { readFileSync } from 'node:fs';

import type { EventsRequest } from '../event-feed.js';
import type { Visibility } from '../visibility.js';
import { ALL, AUDITED, describeOnBothDatabases, KINDS, Library } from './library.testing.js';
import { addManyEvents } from './many-events.testing.js';

const LOAN = '01890000-0000-7000-8000-000000000001';
const READER = '01890000-0000-7000-8000-000000000002';
const OTHER = '01890000-0000-7000-8000-000000000003';
const COUNT = 300_000;
const MAX_MAIN_THREAD_MS = 50;
/** Maximum response time of another client during a slow read. */
const MAX_OTHER_MS = 100;
const TIMES = 5;

describeOnBothDatabases(
  'SPEC §4.1: pages of 300 000 events take 50 ms of the main thread, and other requests are served',
  (under) => {
    let library: Library;
    let after: string;

    beforeAll(async () => {
      library = await Library.begun(under.database, AUDITED);
      const typeSql = `CASE WHEN n = ${String(COUNT - 1)} THEN 'loan.lost' ELSE 'loan.created' END`;
      after = await addManyEvents(under.database, library, { count: COUNT, objectId: LOAN, ownerId: READER, typeSql });
      // Starts the thread of slow reads.
      await under.database.readSlowly('first', (reader) => reader.readValues('SELECT 1'));
    }, 600_000);

    const own: Visibility = { all: [], own: KINDS, userId: READER };
    const everything = { limit: 100, descending: false };
    const events = (request: Partial<EventsRequest>, visible: Visibility) => async (): Promise<number> =>
      (await library.events.page({ ...everything, after, ...request }, () => visible)).body.events.length;
    const audit = (request: Partial<EventsRequest>) => async (): Promise<number> =>
      (await library.events.audit?.page({ ...everything, ...request }, () => undefined))?.body.audit_events.length ??
      -1;
    const newestFirst = { descending: true };

    it.each<[string, () => Promise<number>, number]>([
      ['none of a type', events({ objectId: LOAN, types: ['loan.returned'] }, ALL), 0],
      ['the last one of its type', events({ objectId: LOAN, types: ['loan.lost'] }, ALL), 1],
      [
        'the last one of its type, newest first',
        events({ ...newestFirst, objectId: LOAN, types: ['loan.lost'] }, ALL),
        1,
      ],
      ['none of what is one’s own', events({ objectId: LOAN }, { ...own, userId: OTHER }), 0],
      ['none of a type among one’s own', events({ types: ['loan.returned'] }, own), 0],
      ['none of a type among one’s own, newest first', events({ ...newestFirst, types: ['loan.returned'] }, own), 0],
      ['a page of all', events({}, ALL), 100],
      ['a page of one’s own', events({}, own), 100],
      ['none by an actor', audit({ objectId: LOAN, actorId: OTHER }), 0],
      ['none of a type in the audit', audit({ objectId: LOAN, types: ['loan.returned'] }), 0],
      ['none of an actor’s in the audit', audit({ actorId: OTHER }), 0],
    ])(
      '%s',
      async (_, page, found) => {
        await page();
        const [times, others]: [number[], number[]] = [[], []];
        for (let n = 0; n < TIMES; n += 1) {
          const beganAtMs = mainThreadMs();
          expect(await page()).toBe(found);
          times.push(mainThreadMs() - beganAtMs);
          const isOver = page();
          const askedAtMs = performance.now();
          await library.events.page({ ...everything, limit: 1 }, () => ALL);
          others.push(performance.now() - askedAtMs);
          await isOver;
        }
        expect(median(times)).toBeLessThan(MAX_MAIN_THREAD_MS);
        expect(median(others)).toBeLessThan(MAX_OTHER_MS);
      },
      60_000,
    );
  },
);

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Infinity;
}

/** CPU time of this thread. */
function mainThreadMs(): number {
  const { threadCpuUsage } = process as { threadCpuUsage?: () => { user: number; system: number } };
  if (threadCpuUsage !== undefined) {
    const { user, system } = threadCpuUsage.call(process);
    return (user + system) / 1000;
  }
  const [ns = '0'] = readFileSync(`/proc/self/task/${String(process.pid)}/schedstat`, 'utf8').split(' ');
  return Number(ns) / 1e6;
}
