import { addPing, requestAttempt } from '../deliveries/requested-deliveries.js';
import { endPending } from '../deliveries/delivery-rows.js';
import type { DispatcherOptions } from '../dispatch/dispatcher.js';
import type { CreatorRights } from '../definition/creator-reach.js';
import {
  deleteWebhooks,
  describeOnBothDatabases,
  FakeSender,
  KINDS,
  RETRIES_MS,
  TestClock,
  TestService,
} from './service.testing.js';

const SECOND = 1000;
const EVERYTHING = { all: KINDS, own: [], userId: null };
const NOTHING = { all: [], own: [], userId: null };

describeOnBothDatabases('While a webhook changes', (under) => {
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
  afterEach(() => service.dispatcher.stop());

  /** Starts a service with these overrides of its access to the feed. */
  function through(look: Partial<DispatcherOptions['events']>, options: Partial<DispatcherOptions> = {}): void {
    const { events } = service;
    service = new TestService(under.database, clock, sender, {
      events: {
        isOn: true,
        segment: (...of) => events.segment(...of),
        get: (...of) => events.get(...of),
        endBeyond: (...of) => events.endBeyond(...of),
        ...look,
      },
      ...options,
    });
  }

  async function replay(id: string, ids: readonly string[], only: 'failed' | null = null): Promise<void> {
    const segment = { after: ids[0] ?? '', to: ids.at(-1) ?? '', only };
    await service.replay(id, segment);
  }

  async function ticked(): Promise<void> {
    clock.nowMs += SECOND;
    await service.dispatcher.runNow();
  }

  it('events that were being read when the creator lost the right are not sent', async () => {
    const reading: { gate: Promise<void> | undefined; isHeld: boolean } = { gate: undefined, isHeld: false };
    const { events } = service;
    through({
      segment: async (...of) => {
        const found = await events.segment(...of);
        reading.isHeld = reading.gate !== undefined;
        await reading.gate;
        return found;
      },
    });
    await service.addWebhook();
    await service.pass();
    await service.addBook();
    let open = (): void => undefined;
    reading.gate = new Promise<void>((resolve) => (open = resolve));
    service.dispatcher.onNewEvents();
    while (!reading.isHeld) await new Promise(setImmediate);
    service.rights = NOTHING;
    await ticked();
    open();
    await service.pass();
    expect(sender.ids).toEqual([]);
    service.rights = EVERYTHING;
    const later = await service.addBook();
    await service.pass(SECOND);
    expect(sender.ids).toEqual([later]);
  });

  it('events that were read for a replay are not sent after the creator lost the right', async () => {
    const id = await service.addWebhook();
    const ids = await service.addBooks(14);
    await service.pass();
    sender.answer = () => 'never';
    await replay(id, ids);
    await ticked();
    while (sender.underWay < 10) await new Promise(setImmediate);
    service.rights = NOTHING;
    await ticked();
    sender.answer = () => 204;
    sender.releaseAll(204);
    await service.pass(SECOND);
    expect(sender.ids).toEqual([...ids, ...ids.slice(1, 11)]);
    await service.pass(10 * SECOND, SECOND);
    expect(await under.database.query('SELECT 1 FROM webhook_states WHERE replay_after IS NOT NULL')).toEqual([]);
  });

  it('kinds that are no longer requested are not retried, except on request', async () => {
    const id = await service.addWebhook();
    sender.answer = () => 500;
    await service.addBook();
    await service.pass();
    await under.database.transaction((tx) =>
      service.webhooks.lockAndUpdate(tx, id, () => ({ events: ['book.deleted'] })),
    );
    await service.pass(10 * SECOND, SECOND);
    expect(sender.sent).toHaveLength(1);
    const [delivery] = await service.deliveriesOf(id);
    expect(delivery).toMatchObject({ status: 'failed', next_attempt_at: null });
    await under.database.transaction((tx) => requestAttempt(tx, service.deliveries, id, delivery?.id ?? ''));
    await service.pass(SECOND);
    expect(sender.sent).toHaveLength(2);
  });

  it('attempts of a replay start in the order of the feed, for any duration of each look-up', async () => {
    const { events } = service;
    let looked = 0;
    through(
      {
        get: async (...of) => {
          looked += 1;
          const turns = looked === 1 ? 50 : 0;
          const event = await events.get(...of);
          for (let n = 0; n < turns; n += 1) await new Promise(setImmediate);
          return event;
        },
      },
      { policy: { retriesMs: [], disableAfterMs: RETRIES_MS.at(-1) ?? 0 } },
    );
    const id = await service.addWebhook();
    const before = await service.addBook();
    await service.pass();
    sender.answer = () => 500;
    const failed = await service.addBooks(3);
    await service.pass();
    sender.answer = () => 204;
    const last = await service.addBook();
    await service.pass();
    await replay(id, [before, ...failed, last], 'failed');
    await service.pass(SECOND);
    expect(sender.ids.slice(5)).toEqual(failed);
  });

  it('an event that is being recorded while the state is loaded again is sent once', async () => {
    let gate: Promise<void> | undefined;
    const held = { isSeen: false };
    let open = (): void => undefined;
    const turns = async (): Promise<void> => {
      for (let n = 0; n < 50; n += 1) await new Promise(setImmediate);
    };
    const database = new Proxy(under.database, {
      get: (target, name) => {
        const value = Reflect.get(target, name) as unknown;
        if (typeof value !== 'function') return value;
        const method = (value as (...of: unknown[]) => unknown).bind(target);
        if (name === 'relaxedTransaction') {
          return async (...of: unknown[]): Promise<unknown> => {
            held.isSeen = gate !== undefined;
            await gate;
            return method(...of);
          };
        }
        if (name !== 'query') return method;
        return async (...of: unknown[]): Promise<unknown> => {
          const found = await method(...of);
          if (gate === undefined || !String(of[0]).startsWith('SELECT event_id FROM deliveries')) return found;
          // Records the outcome just after the state was loaded.
          open();
          while ((await under.database.query('SELECT 1 FROM deliveries')).length < 2) await turns();
          await turns();
          return found;
        };
      },
    });
    service = new TestService(database, clock, sender);
    const id = await service.addWebhook();
    const before = await service.addBook();
    await service.pass();
    gate = new Promise<void>((resolve) => {
      open = () => {
        gate = undefined;
        resolve();
      };
    });
    sender.answer = () => 500;
    const event = await service.addBook();
    service.dispatcher.onNewEvents();
    while (!held.isSeen) await new Promise(setImmediate);
    await replay(id, [before, before]);
    clock.nowMs += SECOND;
    const round = service.dispatcher.runNow();
    await turns();
    open();
    await round;
    await service.pass();
    expect(sender.ids).toEqual([before, event]);
    expect((await service.deliveriesOf(id)).map(({ status }) => status)).toEqual(['succeeded', 'pending']);
  });

  it('a requested attempt is repeated if the event could not be read', async () => {
    const { events } = service;
    let isDown = true;
    through({ get: (...of) => (isDown ? Promise.reject(new Error('no database')) : events.get(...of)) });
    const id = await service.addWebhook();
    await service.addBook();
    await service.pass();
    const [delivery] = await service.deliveriesOf(id);
    await under.database.transaction((tx) => requestAttempt(tx, service.deliveries, id, delivery?.id ?? ''));
    await service.pass(SECOND);
    expect(sender.sent).toHaveLength(1);
    isDown = false;
    await service.pass(2 * SECOND, SECOND);
    expect(sender.sent).toHaveLength(2);
    expect(await service.deliveriesOf(id)).toMatchObject([{ status: 'succeeded' }]);
  });

  it('requested pings of a webhook to which nothing is sent delay no other webhook', async () => {
    const silent = await service.addWebhook();
    const other = await service.addWebhook();
    service = new TestService(under.database, clock, sender, {
      rights: () =>
        Promise.resolve(
          new Map<string, CreatorRights>([
            [silent, 'silent'],
            [other, EVERYTHING],
          ]),
        ),
    });
    await under.database.transaction(async (tx) => {
      for (let n = 0; n < 200; n += 1) await addPing(tx, service.deliveries, silent);
    });
    await under.database.transaction((tx) => addPing(tx, service.deliveries, other));
    await service.pass();
    expect(sender.sent).toHaveLength(1);
  });

  it('a succeeded delivery with a requested attempt stays succeeded when the webhook is disabled', async () => {
    const id = await service.addWebhook();
    await service.addBook();
    await service.pass();
    const [delivery] = await service.deliveriesOf(id);
    await under.database.transaction((tx) => requestAttempt(tx, service.deliveries, id, delivery?.id ?? ''));
    await under.database.transaction((tx) => endPending(tx, service.deliveries, id));
    expect(await service.deliveriesOf(id)).toMatchObject([{ status: 'succeeded' }]);
  });
});
