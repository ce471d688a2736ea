import { setTimeout as sleep } from 'node:timers/promises';

import type { CreatedWebhook, Delivery } from '@items/dtos/contract';
import {
  askPostgres,
  HttpClient,
  itemInput,
  provideDatabase,
  startApp,
  type Answer,
  type RunningApp,
  type TestDatabase,
} from '@items/testing';

import { conventions } from '../harness/conventions.js';
import { eventsOf } from '../harness/events.js';
import { linesOf } from '../harness/log-lines.js';
import { moveClock, movableClock } from '../harness/movable-clock.js';
import { errorOf, expectStatus } from '../harness/reading.js';
import { eventually, Receiver } from '../harness/receiver.js';
import { databaseUnderTest, describeStarted } from '../harness/service.js';

const KEPT_SECONDS = 60;
const SETTINGS = {
  ...movableClock,
  EVENT_DAYS: String(KEPT_SECONDS / 86_400),
  PARTITION_SECONDS: '10',
  WEBHOOK_ALLOW: '127.0.0.0/8',
  // Failed deliveries are retried for longer than events are retained.
  WEBHOOK_RETRIES: Array(20).fill('5').join(','),
};
const STEP_SECONDS = 2;
const WRITES_A_STEP = 3;
/** Number of partitions that must be dropped while clients read. */
const DROPPED = 10;
const MOST_STEPS = 300;
/** Maximum number of events that followers have not read yet. The clock stops at this number, so that none expires. */
const MOST_BEHIND = 30;
/** Log lines of a failed purge or webhook. Other lines report slowness, because the clock jumps. */
const POSTPONED = /Old events|Webhook/;
const PARTITIONS = "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'events'::regclass";

const describePartitions = globalThis.database === 'postgres' ? describeStarted : describe.skip;

describePartitions('§6 Events of short partitions (PARTITION_SECONDS)', () => {
  let database: TestDatabase;
  let receiver: Receiver;
  let app: RunningApp;

  beforeAll(async () => {
    database = await provideDatabase(databaseUnderTest());
    receiver = await Receiver.start();
    app = await startApp({ database: databaseUnderTest(), databaseUrl: database.url, env: SETTINGS });
  });
  afterAll(async () => {
    await app.stop();
    await receiver.stop();
    await database.drop();
  });

  it('expire under readers and webhooks: all events, or expired_cursor, and due deliveries arrive', async () => {
    // `conventions` observes each response, and fails on a 5xx.
    const admin = new HttpClient({ baseUrl: app.baseUrl, timeoutMs: 30_000, observers: [conventions] }).withHeaders([
      'X-API-Key',
      app.adminKey,
    ]);
    const over = new AbortController();
    /** Created items, in order. */
    const written: string[] = [];
    const itemsOf = (answer: Answer): string[] => eventsOf(answer).events.map(({ data }) => String(data.object['id']));
    const arrived = (path: string): Set<string> =>
      new Set(receiver.at(path).map(({ event }) => String(event.data.object['id'])));

    const webhook = async (path: string): Promise<string> => {
      const answer = await admin.post('/webhooks', { url: receiver.url(path), events: ['item.*'] });
      expectStatus(answer, 201);
      return (answer.json() as CreatedWebhook).id;
    };
    const pending = async (id: string): Promise<Delivery[]> => {
      const answer = await admin.get(`/webhooks/${id}/deliveries?status=pending&per_page=100`);
      return (answer.json() as { deliveries: Delivery[] }).deliveries;
    };
    const add = async (): Promise<void> => {
      const answer = await admin.post('/items', itemInput());
      expectStatus(answer, 201);
      written.push((answer.json() as { id: string }).id);
    };

    /** Follows the feed by `after`, and records each position with the number of events before it. */
    async function follow(seen: string[], places: [place: string, before: number][]): Promise<void> {
      for (let after = start; !over.signal.aborted || seen.length < written.length;) {
        const answer = await admin.get(`/events?after=${after}&limit=10&wait=1`);
        seen.push(...itemsOf(answer));
        ({ after } = eventsOf(answer));
        places.push([after, seen.length]);
      }
    }
    /**
     * Reads from recorded positions, in pseudo-random order.
     * @returns how often the following events were no longer retained.
     */
    async function readAgain(seen: readonly string[], places: readonly [string, number][]): Promise<number> {
      let expired = 0;
      for (let n = 0; !over.signal.aborted; n += 7919) {
        const [place, before] = places[n % places.length] ?? [start, 0];
        const answer = await admin.get(`/events?after=${place}&limit=10`);
        if (answer.status === 400) {
          expect(errorOf(answer, 400).code).toBe('expired_cursor');
          expired += 1;
        } else {
          const found = itemsOf(answer);
          await eventually(() => (seen.length >= before + found.length ? true : undefined));
          expect(found).toEqual(seen.slice(before, before + found.length));
        }
        await sleep(5);
      }
      return expired;
    }
    const dropped = new Set<string>();
    async function passTime(): Promise<void> {
      const known = new Set<string>();
      for (let step = 0; step < MOST_STEPS && dropped.size < DROPPED; step += 1) {
        for (let n = 0; n < WRITES_A_STEP; n += 1) await add();
        await moveClock(app, STEP_SECONDS);
        await eventually(() => {
          const least = Math.min(seen.length, alsoSeen.length, arrived('/well').size);
          return written.length - least < MOST_BEHIND ? true : undefined;
        });
        const names = (await askPostgres<{ name: string }>(database.url, PARTITIONS)).map(({ name }) => name);
        for (const name of known) if (!names.includes(name)) dropped.add(name);
        for (const name of names) known.add(name);
        await sleep(50);
      }
    }

    receiver.answer = ({ path }) => (path === '/ill' ? 500 : 204);
    await webhook('/well');
    const ill = await webhook('/ill');
    const start = eventsOf(await admin.get('/events?sort=-timestamp&limit=1')).after;
    for (let n = 0; n < 2; n += 1) await add();
    const walk = eventsOf(await admin.get(`/events?after=${start}&limit=1`)).next_cursor ?? '';
    const seen: string[] = [];
    const alsoSeen: string[] = [];
    const places: [string, number][] = [];
    const reading = Promise.all([follow(seen, places), follow(alsoSeen, []), readAgain(seen, places)]);
    const [[, , expired]] = await Promise.all([
      reading,
      passTime().finally(() => {
        over.abort();
      }),
    ]);
    const due = await pending(ill);

    expect(dropped.size).toBeGreaterThanOrEqual(DROPPED);
    expect(seen).toEqual(written);
    expect(alsoSeen).toEqual(written);
    expect(expired).toBeGreaterThan(0);
    for (const stale of [`after=${start}`, `after=${start}&limit=1&cursor=${walk}`]) {
      expect(errorOf(await admin.get(`/events?${stale}`), 400).code).toBe('expired_cursor');
    }
    await eventually(() => (written.every((id) => arrived('/well').has(id)) ? true : undefined));

    // The receiver that had failed gets the retained events, and no delivery waits forever for a deleted one.
    expect(due.length).toBeGreaterThan(0);
    expect(arrived('/ill').size).toBeGreaterThan(0);
    receiver.answer = () => 204;
    receiver.received.length = 0;
    await moveClock(app, 6);
    const kept = await eventually(async () => {
      const listed = itemsOf(await admin.get('/events?type=item.created&limit=100'));
      return listed.every((id) => arrived('/ill').has(id)) ? listed : undefined;
    }, 20_000);
    expect(kept.length).toBeGreaterThan(10);
    await eventually(async () => ((await pending(ill)).length === 0 ? true : undefined), 20_000);
    const faults = linesOf(app).filter(({ level, msg }) => level === 'error' || POSTPONED.test(String(msg)));
    expect(faults).toEqual([]);
  });
});
