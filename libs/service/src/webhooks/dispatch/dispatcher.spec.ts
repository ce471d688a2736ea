import { setTimeout as sleep } from 'node:timers/promises';

import { systemClock } from './dispatch.js';
import { requestAttempt, addPing } from '../deliveries/requested-deliveries.js';
import {
  DAY_MS,
  deleteWebhooks,
  describeOnBothDatabases,
  FakeSender,
  RETRIES_MS,
  TestClock,
  TestService,
} from '../testing/service.testing.js';
import { beginAt } from '../definition/webhook-state.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

describeOnBothDatabases('The dispatcher', (under) => {
  let clock: TestClock;
  let sender: FakeSender;
  let service: TestService;

  beforeEach(async () => {
    await deleteWebhooks(under.database);
    clock = new TestClock();
    sender = new FakeSender();
    service = new TestService(under.database, clock, sender);
    await service.events.begin();
  });
  afterEach(async () => {
    if (service.warnings.length > 0) process.stderr.write(service.warnings.join('\n') + '\n');
    await service.dispatcher.stop();
  });

  it('sends each event after the creation, in the order of the feed, and no earlier event', async () => {
    await service.addBooks(2);
    const id = await service.addWebhook();
    const ids = await service.addBooks(30);
    await service.pass();
    expect(sender.ids).toEqual(ids);
    expect(sender.maxConcurrent).toBeLessThanOrEqual(10);
    const deliveries = await service.deliveriesOf(id);
    expect(deliveries.map(({ event_id: event, status }) => [event, status])).toEqual(
      ids.map((event) => [event, 'succeeded']),
    );
    await service.pass(SECOND);
    expect((await service.webhook(id)).delivered_up_to).toBe(ids.at(-1));
    expect(JSON.parse(sender.sent[0]?.body ?? '')).toMatchObject({
      id: ids[0],
      type: 'book.created',
      data: { object: { title: 'a book' } },
    });
  });

  it('queries the database once at the start, and not each second, while there is no webhook', async () => {
    const queries = jest.spyOn(under.database, 'query');
    service = new TestService(under.database, clock, sender, { clock: systemClock });
    service.dispatcher.start();
    await sleep(1500);
    expect(queries.mock.calls.map(([sql]) => /FROM (\w+)/.exec(sql)?.[1])).toEqual(['webhooks']);
    queries.mockRestore();
    await service.addWebhook();
    const event = await service.addBook();
    service.dispatcher.wake();
    while (sender.sent.length === 0) await sleep(10);
    expect(sender.ids).toEqual([event]);
  });

  it('starts no timer and no turn while nothing is due', async () => {
    const id = await service.addWebhook();
    await service.addBook();
    await service.pass();
    await service.pass(10 * SECOND, SECOND);
    expect((await service.webhook(id)).failing_since).toBeNull();
    const timers = jest.spyOn(globalThis, 'setTimeout');
    const turns = jest.spyOn(globalThis, 'setImmediate');
    await service.dispatcher.runNow();
    await service.dispatcher.runNow();
    expect(timers.mock.calls.length).toBe(0);
    // One call per round of the dispatcher, which checks for something to begin.
    expect(turns.mock.calls.length).toBeLessThanOrEqual(2);
    timers.mockRestore();
    turns.mockRestore();
  });

  it('begins up to ten concurrent attempts', async () => {
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    sender.answer = () => gate.then(() => 204);
    await service.addWebhook();
    await service.addBooks(12);
    await service.dispatcher.runNow();
    service.dispatcher.onNewEvents();
    while (sender.underWay < 10) await new Promise(setImmediate);
    for (let n = 0; n < 20; n += 1) await new Promise(setImmediate);
    expect(sender.underWay).toBe(10);
    release();
    await service.pass();
    expect(sender.sent).toHaveLength(12);
  });

  it('begins one attempt of all webhooks per turn of the event loop, so that requests run in between', async () => {
    for (let n = 0; n < 3; n += 1) await service.addWebhook();
    await service.addBooks(4);
    let [isOver, counted, most] = [false, 0, 0];
    const count = (): void => {
      most = Math.max(most, sender.sent.length - counted);
      counted = sender.sent.length;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await service.pass();
    isOver = true;
    expect(sender.sent).toHaveLength(12);
    expect(most).toBe(1);
  });

  it('sends only requested kinds that the creator may read', async () => {
    service.rights = { all: ['book.created', 'book.deleted'], own: [], userId: null };
    await service.addWebhook(['book.created', 'book.updated']);
    const event = await service.addBook();
    await under.database.transaction(async (tx) => {
      const [row] = await tx.query<{ id: string }>('SELECT id FROM books ORDER BY id DESC LIMIT 1');
      await service.books.update(tx, row?.id ?? '', { title: 'another' }, () => undefined);
      await service.books.delete(tx, row?.id ?? '', () => undefined);
    });
    await service.pass();
    expect(sender.ids).toEqual([event]);
  });

  it('sends nothing while the creator is disabled, and then continues at its position', async () => {
    service.rights = 'silent';
    await service.addWebhook();
    const ids = await service.addBooks(2);
    await service.pass();
    expect(sender.sent).toEqual([]);
    service.rights = { all: ['book.created'], own: [], userId: null };
    await service.pass(SECOND);
    expect(sender.ids).toEqual(ids);
  });

  it('deletes a webhook whose creator is gone', async () => {
    const id = await service.addWebhook();
    service.rights = 'deleted';
    await service.pass(SECOND);
    await expect(service.webhook(id)).rejects.toThrow('There is no webhook');
    expect(await under.database.query('SELECT 1 FROM webhook_states WHERE webhook_id = $1', [id])).toEqual([]);
  });

  it('tries again after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20, 24 h; then the delivery has failed', async () => {
    sender.answer = () => 500;
    const id = await service.addWebhook();
    await service.addBook();
    await service.pass();
    for (const [index, delay] of RETRIES_MS.entries()) {
      const [delivery] = await service.deliveriesOf(id);
      expect(delivery).toMatchObject({
        status: 'pending',
        next_attempt_at: new Date(clock.nowMs + delay).toISOString(),
      });
      await service.pass(delay - 1);
      expect(sender.sent).toHaveLength(index + 1);
      await service.pass(1);
      expect(sender.sent).toHaveLength(index + 2);
    }
    const [delivery] = await service.deliveriesOf(id);
    expect(delivery).toMatchObject({ status: 'failed', next_attempt_at: null });
    expect(delivery?.attempts).toHaveLength(10);
    expect(new Set(sender.ids).size).toBe(1);
  });

  it('shows since when a webhook fails, and sends one attempt at a time', async () => {
    const id = await service.addWebhook();
    sender.answer = () => 500;
    await service.addBook();
    await service.pass();
    const failingAt = new Date(clock.nowMs).toISOString();
    sender.maxConcurrent = 0;
    await service.addBooks(5);
    await service.pass(SECOND);
    expect(sender.sent).toHaveLength(6);
    expect(sender.maxConcurrent).toBe(1);
    expect((await service.webhook(id)).failing_since).toBe(failingAt);
    sender.answer = () => 204;
    await service.pass(5 * SECOND);
    await service.pass(SECOND);
    expect((await service.webhook(id)).failing_since).toBeNull();
    expect((await service.deliveriesOf(id)).map(({ status }) => status)).toEqual(Array(6).fill('succeeded'));
  });

  it('begins no further event while 100 wait, tries the oldest once a minute, and sends all when the receiver is back', async () => {
    const long = { policy: { retriesMs: [DAY_MS], disableAfterMs: 5 * DAY_MS } };
    service = new TestService(under.database, clock, sender, long);
    sender.answer = () => 503;
    const id = await service.addWebhook();
    const ids = await service.addBooks(130);
    await service.pass();
    expect(sender.ids).toEqual(ids.slice(0, 100));
    expect(await service.deliveriesOf(id)).toHaveLength(100);
    await service.pass(3 * MINUTE, 10 * SECOND);
    expect(sender.ids.slice(100)).toEqual([ids[0], ids[0], ids[0]]);
    sender.answer = () => 204;
    await service.pass(MINUTE, 10 * SECOND);
    expect(new Set(sender.ids.slice(103))).toEqual(new Set(ids));
    expect((await service.deliveriesOf(id)).map(({ status }) => status)).toEqual(Array(130).fill('succeeded'));
  });

  it('pauses the whole webhook for the time in Retry-After', async () => {
    await service.addWebhook();
    sender.answer = () => ({ status: 429, holdSeconds: 60 });
    await service.addBook();
    await service.pass();
    await service.addBooks(3);
    sender.answer = () => 204;
    await service.pass(59 * SECOND, 5 * SECOND);
    expect(sender.sent).toHaveLength(1);
    await service.pass(SECOND);
    expect(sender.sent).toHaveLength(5);
  });

  it('disables a webhook whose receiver is gone, with an event in the feed', async () => {
    const id = await service.addWebhook();
    const other = await service.addWebhook(['webhook.disabled'], 'https://other.example');
    sender.answer = ({ url }) => (url.includes('other') ? 204 : 410);
    await service.addBook();
    await service.pass();
    await service.addBooks(3);
    await service.pass(SECOND);
    expect(await service.webhook(id)).toMatchObject({ disabled: true, disabled_reason: 'gone' });
    const told = sender.sent.filter(({ url }) => url.includes('other'));
    expect(told.map(({ body }) => JSON.parse(body) as { type: string; data: { object: unknown } })).toMatchObject([
      { type: 'webhook.disabled', data: { object: { id, disabled: true, disabled_reason: 'gone' } } },
    ]);
    expect(sender.sent).toHaveLength(2);
    expect((await service.deliveriesOf(id)).map(({ status }) => status)).toEqual(['failed']);
    expect((await service.webhook(other)).disabled).toBe(false);
  });

  it('begins with the next event when it is enabled again', async () => {
    const id = await service.addWebhook();
    sender.answer = () => 410;
    await service.addBook();
    await service.pass();
    await service.addBook();
    sender.answer = () => 204;
    await under.database.transaction(async (tx) => {
      await service.webhooks.lockAndUpdate(tx, id, () => ({ disabled: false, disabled_reason: null }));
      const [event] = await tx.query<{ id: string }>('SELECT id FROM events ORDER BY id DESC LIMIT 1');
      await beginAt(tx, id, event?.id ?? '');
    });
    const next = await service.addBook();
    await service.pass(SECOND);
    expect(sender.ids.slice(1)).toEqual([next]);
  });

  it('pings even a disabled webhook, once, without an event in the feed', async () => {
    const id = await service.addWebhook();
    await under.database.transaction((tx) => service.webhooks.lockAndUpdate(tx, id, () => ({ disabled: true })));
    sender.answer = () => 500;
    await under.database.transaction((tx) => addPing(tx, service.deliveries, id));
    await service.addBook();
    await service.pass();
    await service.pass(MINUTE);
    expect(sender.sent.map(({ body }) => JSON.parse(body) as unknown)).toMatchObject([{ type: 'webhook.ping' }]);
    expect(await service.deliveriesOf(id)).toMatchObject([
      { type: 'webhook.ping', status: 'failed', attempts: [{ status_code: 500 }] },
    ]);
  });

  it('makes one more attempt on request, even after success', async () => {
    const id = await service.addWebhook();
    await service.addBook();
    await service.pass();
    const [delivery] = await service.deliveriesOf(id);
    const asked = await under.database.transaction((tx) =>
      requestAttempt(tx, service.deliveries, id, delivery?.id ?? ''),
    );
    expect(asked.resource.status).toBe('pending');
    sender.answer = () => 500;
    await service.pass(SECOND);
    await service.pass(SECOND);
    expect(sender.sent).toHaveLength(2);
    const [after] = await service.deliveriesOf(id);
    expect(after).toMatchObject({ status: 'succeeded', attempts: [{ status_code: 204 }, { status_code: 500 }] });
  });

  it.each([
    [204, 'succeeded', 'succeeded'],
    [500, 'pending', 'failed'],
  ] as const)('keeps the status after %i if the event of a requested attempt has expired', async (...expected) => {
    const [answer, status, later] = expected;
    await service.addBook();
    const id = await service.addWebhook();
    sender.answer = () => answer;
    const event = await service.addBook();
    await service.pass();
    const [{ id: delivery, next_attempt_at: next } = { id: '' }] = await service.deliveriesOf(id);
    await under.database.transaction(async (tx) => {
      await tx.query('DELETE FROM events WHERE id = $1', [event]);
      await requestAttempt(tx, service.deliveries, id, delivery);
    });
    await service.pass(SECOND);
    await service.pass(SECOND);
    const [after] = await service.deliveriesOf(id);
    expect(after).toMatchObject({ status, next_attempt_at: next, attempts: [{ status_code: answer }] });
    expect(await under.database.query('SELECT asked_at, status_before FROM deliveries')).toEqual([
      { asked_at: null, status_before: null },
    ]);
    await service.pass(5 * SECOND);
    expect((await service.deliveriesOf(id))[0]).toMatchObject({ status: later, next_attempt_at: null });
  });

  it('shows the last ten attempts of a delivery', async () => {
    const id = await service.addWebhook();
    await service.addBook();
    await service.pass();
    const [delivery] = await service.deliveriesOf(id);
    for (let n = 0; n < 11; n += 1) {
      sender.answer = () => 200 + n;
      await under.database.transaction((tx) => requestAttempt(tx, service.deliveries, id, delivery?.id ?? ''));
      await service.pass(2 * SECOND);
    }
    const [{ attempts } = { attempts: [] }] = await service.deliveriesOf(id);
    expect(attempts.map(({ status_code: status }) => status)).toEqual(Array.from({ length: 10 }, (_, n) => 201 + n));
  });

  it('records a scheduled attempt if another one is requested meanwhile', async () => {
    const id = await service.addWebhook();
    sender.answer = () => 'never';
    await service.addBook();
    await service.dispatcher.runNow();
    service.dispatcher.onNewEvents();
    while (sender.underWay < 1) await new Promise(setImmediate);
    sender.releaseAll(500);
    await service.dispatcher.whenIdle();
    const [delivery] = await service.deliveriesOf(id);
    clock.nowMs += 5 * SECOND;
    await service.dispatcher.runNow();
    while (sender.underWay < 1) await new Promise(setImmediate);
    await under.database.transaction((tx) => requestAttempt(tx, service.deliveries, id, delivery?.id ?? ''));
    sender.releaseAll(204);
    sender.answer = () => 500;
    await service.pass(SECOND);
    await service.pass(SECOND);
    const [after] = await service.deliveriesOf(id);
    expect(after).toMatchObject({ status: 'succeeded', next_attempt_at: null });
    expect(after?.attempts.map(({ status_code: status }) => status)).toEqual([500, 204, 500]);
  });

  it('replays events after a position: all, or only failed ones', async () => {
    const never = { policy: { retriesMs: [], disableAfterMs: 5 * DAY_MS } };
    service = new TestService(under.database, clock, sender, never);
    const id = await service.addWebhook();
    let n = 0;
    sender.answer = () => ((n += 1) % 2 === 0 ? 500 : 204);
    const ids = await service.addBooks(6);
    await service.pass();
    const statuses = await service.deliveriesOf(id).then((all) => all.map(({ status }) => status));
    expect(new Set(statuses)).toEqual(new Set(['succeeded', 'failed']));
    const failed = ids.filter((_, index) => statuses[index] === 'failed');
    sender.answer = () => 204;
    const replay = { after: ids[0] ?? '', to: ids[5] ?? '' };
    await service.replay(id, { ...replay, only: 'failed' });
    await service.pass(SECOND);
    expect(sender.ids.slice(6)).toEqual(failed.filter((one) => one !== ids[0]));
    await service.replay(id, { ...replay, only: null });
    await service.pass(SECOND);
    expect(sender.ids.slice(6 + failed.filter((one) => one !== ids[0]).length)).toEqual(ids.slice(1));
    expect(await service.deliveriesOf(id)).toHaveLength(6);
    await service.pass(MINUTE, 10 * SECOND);
    expect(await under.database.query('SELECT 1 FROM webhook_states WHERE replay_after IS NOT NULL')).toEqual([]);
  });

  it('runs a replay of all and a replay of failed deliveries in turn, each as requested', async () => {
    const never = { policy: { retriesMs: [], disableAfterMs: 5 * DAY_MS } };
    service = new TestService(under.database, clock, sender, never);
    const id = await service.addWebhook();
    const ids = await service.addBooks(6);
    sender.answer = ({ eventId }) => (eventId === ids[1] ? 500 : 204);
    await service.pass();
    sender.answer = () => 204;
    sender.sent.length = 0;
    const to = ids[5] ?? '';
    await service.replay(id, { after: ids[3] ?? '', to, only: null });
    await service.replay(id, { after: ids[0] ?? '', to, only: 'failed' });
    for (let n = 0; n < 3; n += 1) await service.pass(SECOND);
    expect(sender.ids).toEqual([ids[4], ids[5], ids[1]]);
    const left = 'SELECT 1 FROM webhook_states WHERE replay_after IS NOT NULL OR replay_next IS NOT NULL';
    expect(await under.database.query(left)).toEqual([]);
  });

  it('needs no row for events that were not begun, and an unresponsive webhook does not delay others', async () => {
    const dead: string[] = [];
    for (let n = 0; n < 19; n += 1) dead.push(await service.addWebhook(['*'], `https://dead${String(n)}.example`));
    sender.answer = ({ url }) => (url.includes('dead') ? new Promise(() => undefined) : 204);
    const alive = await service.addWebhook(['*'], 'https://alive.example');
    const ids = await service.addBooks(40);
    await service.dispatcher.runNow();
    service.dispatcher.onNewEvents();
    const arrived = (): string[] =>
      sender.sent.filter(({ url }) => url.includes('alive')).map(({ eventId }) => eventId);
    while (arrived().length < 40) await new Promise(setImmediate);
    expect(arrived()).toEqual(ids);
    const rows = await under.database.query<{ n: number }>(
      'SELECT count(*) AS n FROM deliveries WHERE webhook_id <> $1',
      [alive],
    );
    expect(Number(rows[0]?.n)).toBe(0);
    // Replaces the service, because its attempts in progress never end.
    service = new TestService(under.database, clock, sender);
  });
});
