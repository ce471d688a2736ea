import { randomUUID } from 'node:crypto';

import type { Outcome } from './job.js';
import { recordOutcomes } from './record-outcomes.js';
import { describeOnBothDatabases, FakeSender, TestClock, TestService } from '../testing/service.testing.js';

function outcome(eventId: string, statusCode: number, deliveryId?: string): Outcome {
  const isOver = statusCode < 300;
  return {
    job: { reason: 'first', eventId, type: 'book.created', tries: 0, ...(deliveryId !== undefined && { deliveryId }) },
    attempt: {
      at: '2026-11-20T00:00:00.000Z',
      duration_ms: 1,
      status_code: statusCode,
      error: isOver ? null : 'status',
    },
    status: isOver ? 'succeeded' : 'pending',
    nextAttemptAt: null,
  };
}

describeOnBothDatabases('The outcomes of attempts', (under) => {
  it('make one delivery for each event, with all of its attempts', async () => {
    const service = new TestService(under.database, new TestClock(), new FakeSender());
    const id = await service.addWebhook();
    const record = (outcomes: readonly Outcome[]): Promise<Map<string, string>> =>
      under.database.transaction((tx) => recordOutcomes(tx, service.deliveries, id, outcomes));
    const [twice = '', ...once] = Array.from({ length: 20 }, () => randomUUID());
    const made = await record([outcome(twice, 500), ...once.map((event) => outcome(event, 204)), outcome(twice, 502)]);
    expect([...made.keys()].sort()).toEqual([twice, ...once].sort());
    await record([outcome(twice, 200, made.get(twice)), outcome(once[0] ?? '', 200, randomUUID())]);

    const deliveries = await service.deliveriesOf(id);
    expect(deliveries).toHaveLength(20);
    for (const { id: delivery, event_id: event, status, attempts } of deliveries) {
      expect(made.get(event)).toBe(delivery);
      expect(status).toBe('succeeded');
      expect(attempts.map(({ status_code: code }) => code)).toEqual(event === twice ? [500, 502, 200] : [204]);
    }
  });
});
