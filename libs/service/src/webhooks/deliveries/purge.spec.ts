import { DeliveryPurge } from './delivery-purge.js';
import { removeWebhook } from '../definition/webhook-state.js';
import { describeOnBothDatabases, FakeSender, TestClock, TestService } from '../testing/service.testing.js';

const SECOND = 1000;

describeOnBothDatabases('Deliveries', (under) => {
  it('are retained as long as events, and deleted with their webhook', async () => {
    const clock = new TestClock();
    const service = new TestService(under.database, clock, new FakeSender());
    await service.events.begin();
    const ids = [await service.addWebhook(), await service.addWebhook()];
    await service.addBooks(3);
    await service.pass();
    const purge = new DeliveryPurge(under.database, service.deliveries, { warn: () => undefined }, 60 * SECOND);
    expect(await purge.purge(undefined, Date.now() + 50 * SECOND)).toBe(0);
    await under.database.transaction((tx) => removeWebhook(tx, service.webhooks, ids[0]!));
    expect(await purge.purge()).toBe(3);
    expect((await service.deliveriesOf(ids[1]!)).length).toBe(3);
    expect(await purge.purge(undefined, Date.now() + 61 * SECOND)).toBe(3);
    const left = await under.database.query<{ n: number }>(
      'SELECT coalesce(sum(n), 0) AS n FROM collection_lanes WHERE collection = $1',
      ['deliveries'],
    );
    expect(Number(left[0]?.n)).toBe(0);
    await service.dispatcher.stop();
  });

  it('fail if their event is deleted before they are sent', async () => {
    const clock = new TestClock();
    const sender = new FakeSender();
    const service = new TestService(under.database, clock, sender);
    await service.events.begin();
    sender.answer = () => 500;
    await service.addBook();
    const id = await service.addWebhook();
    const event = await service.addBook();
    await service.pass();
    await under.database.transaction((tx) => tx.query('DELETE FROM events WHERE id = $1', [event]));
    await service.pass(6 * SECOND);
    const [delivery] = await service.deliveriesOf(id);
    expect(delivery).toMatchObject({ status: 'failed', next_attempt_at: null, attempts: [{ status_code: 500 }] });
    await service.dispatcher.stop();
  });
});
