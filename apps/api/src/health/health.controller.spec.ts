import { ServiceUnavailableError } from '@items/errors';

import type { Database } from '../database/database.js';
import { Lifecycle } from '../http/lifecycle.js';
import { HealthController } from './health.controller.js';

const databaseThat = (ping: () => Promise<void>) => ({ ping }) as Database;

describe('health', () => {
  it('is ready with its database', async () => {
    const health = new HealthController(
      databaseThat(() => Promise.resolve()),
      new Lifecycle(),
    );
    expect(await health.ready()).toEqual({ status: 'ok' });
    expect(health.live()).toEqual({ status: 'ok' });
  });

  it('is not ready without its database, and alive all the same', async () => {
    const down = new ServiceUnavailableError('database_unavailable', 'The database does not answer.');
    const health = new HealthController(
      databaseThat(() => Promise.reject(down)),
      new Lifecycle(),
    );
    await expect(health.ready()).rejects.toBe(down);
    expect(health.live()).toEqual({ status: 'ok' });
  });

  it('is not ready from the moment it is told to stop', async () => {
    const lifecycle = new Lifecycle();
    lifecycle.beginStop();
    const health = new HealthController(
      databaseThat(() => Promise.resolve()),
      lifecycle,
    );
    await expect(health.ready()).rejects.toMatchObject({ status: 503, code: 'stopping' });
  });
});
