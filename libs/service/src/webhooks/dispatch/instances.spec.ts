import {
  deleteWebhooks,
  describeOnBothDatabases,
  FakeSender,
  TestClock,
  TestService,
} from '../testing/service.testing.js';

const SECOND = 1000;

describeOnBothDatabases('With several instances', (under) => {
  let clock: TestClock;
  let senders: FakeSender[];
  let services: TestService[];

  beforeEach(async () => {
    await deleteWebhooks(under.database);
    clock = new TestClock();
    senders = [new FakeSender(), new FakeSender()];
    services = senders.map((sender) => new TestService(under.database, clock, sender));
    for (const service of services) await service.events.begin();
  });
  afterEach(async () => {
    for (const sender of senders) sender.releaseAll(204);
    await Promise.all(services.map((service) => service.dispatcher.stop()));
  });

  const [first, second] = [(): TestService => services[0]!, (): TestService => services[1]!];
  const sentBy = (instance: number): string[] => senders[instance]!.ids;

  async function begun(): Promise<string[]> {
    await first().addWebhook();
    await first().pass();
    await second().pass();
    return first().addBooks(3);
  }

  it('only one instance at a time sends for a webhook', async () => {
    const ids = await begun();
    await second().pass(SECOND);
    await first().pass();
    await second().pass();
    expect([sentBy(0), sentBy(1)]).toEqual([ids, []]);
  });

  it('an instance that stops finishes its attempts, and another takes over immediately', async () => {
    const ids = await begun();
    senders[0]!.answer = () => 'never';
    await first().dispatcher.runNow();
    first().dispatcher.onNewEvents();
    while (senders[0]!.underWay < 3) await new Promise(setImmediate);
    let isStopped = false;
    const stopped = first()
      .dispatcher.stop()
      .then(() => (isStopped = true));
    await second().pass(SECOND);
    expect([isStopped, sentBy(1)]).toEqual([false, []]);
    senders[0]!.releaseAll(204);
    await stopped;
    const [next] = await second().addBooks(1);
    await second().pass(SECOND);
    expect([sentBy(0), sentBy(1)]).toEqual([ids, [next]]);
  });

  it('another instance takes over from a dead one within 45 s, and nothing is lost', async () => {
    const ids = await begun();
    await second().pass();
    // Only the second instance makes rounds from here on.
    await second().pass(29 * SECOND, SECOND);
    expect(sentBy(1)).toEqual([]);
    await second().pass(16 * SECOND, SECOND);
    expect(sentBy(1)).toEqual(ids);
  });

  it('an instance that was frozen begins no attempt, and overwrites nothing of its successor', async () => {
    const ids = [...(await begun()), ...(await first().addBooks(9))];
    senders[0]!.answer = () => 'never';
    await first().dispatcher.runNow();
    first().dispatcher.onNewEvents();
    while (senders[0]!.underWay < 10) await new Promise(setImmediate);
    await second().pass(45 * SECOND, SECOND);
    expect(sentBy(1)).toEqual(ids);
    await first().addBooks(5);
    // The first instance continues: its attempts end, and its lease has expired.
    senders[0]!.answer = () => 204;
    senders[0]!.releaseAll(204);
    first().dispatcher.onNewEvents();
    await first().pass();
    expect(sentBy(0)).toEqual(ids.slice(0, 10));
    await second().pass(SECOND);
    const [webhook] = await under.database.query<{ id: string }>('SELECT id FROM webhooks');
    const deliveries = await second().deliveriesOf(webhook?.id ?? '');
    expect(deliveries.map(({ status, attempts }) => [status, attempts.length])).toEqual(
      Array(17).fill(['succeeded', 1]),
    );
  });

  it('no recorded event is sent twice, even if later attempts ended earlier', async () => {
    await first().addWebhook();
    await first().pass();
    const ids = await first().addBooks(5);
    senders[0]!.answer = ({ eventId }) => (eventId === ids[0] ? 'never' : 204);
    await first().dispatcher.runNow();
    first().dispatcher.onNewEvents();
    const written = (): Promise<unknown[]> => under.database.query('SELECT 1 FROM deliveries');
    while (senders[0]!.sent.length < 5) await new Promise(setImmediate);
    // Outcomes are batched while another attempt is in progress.
    while ((await written()).length < 4) {
      clock.nowMs += 50;
      await first().dispatcher.runNow();
    }
    await second().pass(46 * SECOND, SECOND);
    expect(sentBy(1)).toEqual([ids[0]]);
    senders[0]!.releaseAll(204);
  });

  it('an instance without its database stops sending after a few seconds, and continues at its position', async () => {
    let isAway = false;
    const away = (): never => {
      throw new Error('away');
    };
    const database = new Proxy(under.database, {
      get: (target, name) => {
        const value = Reflect.get(target, name) as unknown;
        if (isAway && (name === 'query' || name === 'transaction')) return () => Promise.resolve().then(away);
        return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(target) : value;
      },
    });
    const sender = new FakeSender();
    services[0] = new TestService(database, clock, sender);
    const service = services[0];
    const id = await service.addWebhook();
    await service.pass();
    const ids = await service.addBooks(5);
    let n = 0;
    sender.answer = () => {
      n += 1;
      if (n === 2) isAway = true;
      return 204;
    };
    await service.pass();
    await service.pass(10 * SECOND, SECOND);
    isAway = false;
    sender.answer = () => 204;
    await service.pass(5 * SECOND, SECOND);
    expect(new Set(sender.ids)).toEqual(new Set(ids));
    expect((await service.deliveriesOf(id)).map(({ status }) => status)).toEqual(Array(5).fill('succeeded'));
  });
});
