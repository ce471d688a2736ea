import {
  DAY_MS,
  deleteWebhooks,
  describeOnBothDatabases,
  FakeSender,
  TestClock,
  TestService,
} from '../testing/service.testing.js';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
/** A quarter of the five days after which a webhook is disabled. */
const PAUSE = 30 * HOUR;
const HOURLY = { policy: { retriesMs: Array<number>(240).fill(HOUR), disableAfterMs: 5 * DAY_MS } };

describeOnBothDatabases('A webhook that fails (SPEC §6.2, "Disabled with reason failing")', (under) => {
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

  const timeOf = (ms: number): string => new Date(ms).toISOString();
  const isDisabled = async (id: string): Promise<boolean> => (await service.webhook(id)).disabled;
  const failingSince = async (id: string): Promise<string | null> => {
    await service.pass(SECOND);
    return (await service.webhook(id)).failing_since;
  };

  async function restartAfter(ms: number): Promise<void> {
    await service.dispatcher.stop();
    clock.nowMs += ms;
    service = new TestService(under.database, clock, sender, HOURLY);
    await service.pass();
  }

  it('is not disabled because of one refused event, even long ago, if nothing waits any more', async () => {
    const id = await service.addWebhook();
    sender.answer = () => 500;
    await service.addBook();
    await service.pass(4 * DAY_MS, HOUR);
    const attempts = sender.sent.length;
    expect((await service.deliveriesOf(id)).map(({ status }) => status)).toEqual(['failed']);
    expect(await failingSince(id)).toBeNull();
    await service.pass(30 * DAY_MS, DAY_MS);
    expect([await isDisabled(id), sender.sent.length]).toEqual([false, attempts]);
    // The next refused event begins a new period of failure.
    await service.addBook();
    await service.pass();
    const begun = clock.nowMs;
    expect([await isDisabled(id), await failingSince(id)]).toEqual([false, timeOf(begun)]);
    sender.answer = () => 204;
    const next = await service.addBook();
    await service.pass();
    expect(sender.ids.at(-1)).toBe(next);
  });

  it('is disabled when an attempt has just failed, and all have for five days', async () => {
    service = new TestService(under.database, clock, sender, HOURLY);
    const id = await service.addWebhook();
    sender.answer = () => 'timeout';
    await service.addBook();
    await service.pass();
    const begun = clock.nowMs;
    await service.pass(5 * DAY_MS - HOUR, HOUR);
    clock.nowMs = begun + 5 * DAY_MS - 1;
    await service.pass();
    expect(await isDisabled(id)).toBe(false);
    const before = sender.sent.length;
    clock.nowMs += 1;
    await service.pass();
    expect(sender.sent).toHaveLength(before + 1);
    expect(await service.webhook(id)).toMatchObject({
      disabled: true,
      disabled_reason: 'failing',
      failing_since: timeOf(begun),
    });
    expect((await service.deliveriesOf(id)).map(({ status }) => status)).toEqual(['failed']);
  });

  it('is not disabled without an attempt, even after five days of failure', async () => {
    const nearly = {
      policy: { retriesMs: [DAY_MS, DAY_MS, DAY_MS, DAY_MS, 1.25 * DAY_MS], disableAfterMs: 5 * DAY_MS },
    };
    service = new TestService(under.database, clock, sender, nearly);
    const id = await service.addWebhook();
    sender.answer = () => 500;
    await service.addBook();
    await service.pass();
    await service.pass(5.25 * DAY_MS - 1, DAY_MS / 4);
    expect([await isDisabled(id), sender.sent.length]).toEqual([false, 5]);
    await service.pass(1);
    expect([await isDisabled(id), sender.sent.length]).toEqual([true, 6]);
  });

  it('does not fail any more once an attempt of any delivery has succeeded', async () => {
    service = new TestService(under.database, clock, sender, HOURLY);
    const id = await service.addWebhook();
    const refused = await service.addBook();
    sender.answer = ({ eventId }) => (eventId === refused ? 500 : 204);
    await service.pass();
    const begun = clock.nowMs;
    expect(await failingSince(id)).toBe(timeOf(begun));
    await service.pass(4 * DAY_MS, HOUR);
    await service.addBook();
    await service.pass();
    expect(await failingSince(id)).toBeNull();
    await service.pass(4 * DAY_MS, HOUR);
    expect(await isDisabled(id)).toBe(false);
  });

  it('is not disabled for a time in which the service was stopped: it fails since the next attempt', async () => {
    service = new TestService(under.database, clock, sender, HOURLY);
    const id = await service.addWebhook();
    sender.answer = () => 500;
    await service.addBook();
    await service.pass();
    await service.pass(DAY_MS, HOUR);
    const failedAt = clock.nowMs;
    const attempts = sender.sent.length;
    await restartAfter(failedAt + 6 * DAY_MS - clock.nowMs);
    expect([await isDisabled(id), sender.sent.length]).toEqual([false, attempts + 1]);
    const begun = clock.nowMs;
    expect(await failingSince(id)).toBe(timeOf(begun));
    await service.pass(5 * DAY_MS - 2 * HOUR, HOUR);
    expect(await isDisabled(id)).toBe(false);
    await service.pass(2 * HOUR, HOUR);
    expect(await isDisabled(id)).toBe(true);
  });

  it.each([
    [PAUSE, 'a quarter of the five days: the failure continues', true],
    [PAUSE + 1, 'longer: a new failure begins', false],
  ])('after a pause of %i ms, %s', async (pause, _, isSame) => {
    service = new TestService(under.database, clock, sender, HOURLY);
    const id = await service.addWebhook();
    sender.answer = () => 500;
    await service.addBook();
    await service.pass();
    const begun = clock.nowMs;
    await restartAfter(pause);
    const again = clock.nowMs;
    expect(await failingSince(id)).toBe(timeOf(isSame ? begun : again));
  });

  it('is reset if the previous version left it failing although nothing waits', async () => {
    const id = await service.addWebhook();
    await under.database.transaction(async (tx) => {
      const longAgo = clock.nowMs - 6 * DAY_MS;
      await tx.query('UPDATE webhook_states SET failing_since = $1', [longAgo]);
      await service.webhooks.updateKeepingTime(tx, id, { failing_since: timeOf(longAgo) });
    });
    await service.pass(SECOND);
    expect(await service.webhook(id)).toMatchObject({ disabled: false, failing_since: null });
  });

  it('is retried even if its state is loaded again before the first failure is recorded', async () => {
    const id = await service.addWebhook();
    const before = await service.addBook();
    await service.pass();
    let refuse = (): void => undefined;
    const refusal = new Promise<number>((resolve) => (refuse = () => resolve(500)));
    sender.answer = ({ eventId }) => (eventId === refused ? refusal : 'never');
    const [refused] = await service.addBooks(2);
    await service.dispatcher.runNow();
    service.dispatcher.onNewEvents();
    while (sender.sent.length < 3) await new Promise(setImmediate);
    refuse();
    while (sender.underWay > 1) await new Promise(setImmediate);
    // While another attempt is in progress, outcomes are batched.
    expect(await service.deliveriesOf(id)).toHaveLength(1);
    await service.replay(id, { after: before, to: before, only: null });
    clock.nowMs += SECOND;
    await service.dispatcher.runNow();
    sender.answer = () => 204;
    sender.releaseAll(204);
    await service.pass(6 * SECOND, SECOND);
    expect((await service.deliveriesOf(id)).map(({ status }) => status)).toEqual(Array(3).fill('succeeded'));
  });
});
