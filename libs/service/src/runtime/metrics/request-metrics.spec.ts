import { Registry } from 'prom-client';

import { RequestMetrics } from './request-metrics.js';

const ENDED = { method: 'GET', route: '/books/:id', status: 200, credential: 'bearer', seconds: 0.003 };

describe('RequestMetrics', () => {
  let registry: Registry;
  let requests: RequestMetrics;

  beforeEach(() => {
    registry = new Registry();
    requests = new RequestMetrics(registry, 'shop');
  });

  it('counts by method, route, status and credential', async () => {
    requests.count(ENDED);
    requests.count(ENDED);
    requests.count({ ...ENDED, status: 404 });
    const text = await registry.metrics();
    const series = (status: number): string =>
      `shop_http_requests_total{method="GET",route="/books/:id",status="${String(status)}",credential="bearer"}`;
    expect(text).toContain(`${series(200)} 2\n`);
    expect(text).toContain(`${series(404)} 1\n`);
  });

  it('measures seconds, for every status', async () => {
    requests.count(ENDED);
    requests.count({ ...ENDED, status: 500, seconds: 7 });
    const text = await registry.metrics();
    const bucket = (le: string): string =>
      `shop_http_request_duration_seconds_bucket{le="${le}",method="GET",route="/books/:id"}`;
    expect(text).toContain(`${bucket('0.0025')} 0\n`);
    expect(text).toContain(`${bucket('0.005')} 1\n`);
    expect(text).toContain(`${bucket('5')} 1\n`);
    expect(text).toContain(`${bucket('+Inf')} 2\n`);
    expect(text).toContain('shop_http_request_duration_seconds_sum{method="GET",route="/books/:id"} 7.003\n');
  });

  it('has labels for no route, no credential, or no response', async () => {
    requests.count({ method: 'GET', route: undefined, status: undefined, credential: undefined, seconds: 0 });
    expect(await registry.metrics()).toContain(
      'shop_http_requests_total{method="GET",route="unrouted",status="none",credential="none"} 1\n',
    );
  });

  it('has one series for all unknown methods', async () => {
    for (const method of ['PROPFIND', 'get', '__proto__', 'constructor']) requests.count({ ...ENDED, method });
    const lines = (await registry.metrics()).split('\n').filter((line) => line.startsWith('shop_http_requests_total'));
    expect(lines).toEqual([
      'shop_http_requests_total{method="other",route="/books/:id",status="200",credential="bearer"} 4',
    ]);
  });
});
