import { ServiceUnavailableError } from '@items/conventions';
import { Lifecycle } from '../../http/connections/lifecycle.js';
import type { Database } from '../../for-store.js';
import type { RedisLink } from '@items/throttling';

import { HealthController } from './health.controller.js';

const databaseThat = (ping: () => Promise<void>) => ({ ping }) as Database;

describe('health', () => {
  it('is ready with its database', async () => {
    const health = new HealthController(
      databaseThat(() => Promise.resolve()),
      new Lifecycle(),
      null,
    );
    expect(await health.ready()).toEqual({ status: 'ok' });
    expect(health.live()).toEqual({ status: 'ok' });
  });

  it.each([
    [true, 'ok'],
    [false, 'unavailable'],
  ])('reports whether its Redis responds (%s), and is ready in any case', async (answers, redis) => {
    const link = { isAnswering: () => Promise.resolve(answers) } as RedisLink;
    const health = new HealthController(
      databaseThat(() => Promise.resolve()),
      new Lifecycle(),
      link,
    );
    expect(await health.ready()).toEqual({ status: 'ok', redis });
  });

  it('is live but not ready without its database', async () => {
    const down = new ServiceUnavailableError('database_unavailable', 'The database does not answer.');
    const health = new HealthController(
      databaseThat(() => Promise.reject(down)),
      new Lifecycle(),
      null,
    );
    await expect(health.ready()).rejects.toBe(down);
    expect(health.live()).toEqual({ status: 'ok' });
  });

  it('is not ready from the moment its stop begins', async () => {
    const lifecycle = new Lifecycle();
    lifecycle.beginStop();
    const health = new HealthController(
      databaseThat(() => Promise.resolve()),
      lifecycle,
      null,
    );
    await expect(health.ready()).rejects.toMatchObject({ status: 503, code: 'stopping' });
  });
});
