import { HttpClient } from '@items/testing';

import { Metrics } from './metrics.js';
import { readings } from './readings.js';

describe('Metrics', () => {
  it('are served while the process still starts, and show it', async () => {
    const metrics = new Metrics('shop');
    let url = '';
    await metrics.serve(
      { port: 0, host: '127.0.0.1' },
      { info: (fields: { url?: string }) => (url = fields.url ?? ''), error: () => undefined },
    );
    const client = new HttpClient({ baseUrl: url });
    expect((await client.get('/metrics')).text).toContain('\nshop_starting 1\n');
    metrics.started();
    expect((await client.get('/metrics')).text).toContain('\nshop_starting 0\n');
    await metrics.close();
    await expect(client.get('/metrics')).rejects.toThrow();
  });

  it('omit a gauge without a value', async () => {
    const metrics = new Metrics('shop');
    let madeAt: number | undefined;
    metrics.add(readings({ backup_timestamp_seconds: ['Time of the latest backup.', () => madeAt] }));
    expect(await metrics.registry.metrics()).not.toMatch(/^shop_backup_timestamp_seconds/m);
    madeAt = 5;
    expect(await metrics.registry.metrics()).toContain('\nshop_backup_timestamp_seconds 5\n');
    madeAt = undefined;
    expect(await metrics.registry.metrics()).not.toMatch(/^shop_backup_timestamp_seconds/m);
    await metrics.close();
  });
});
