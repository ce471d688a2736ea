import type { EndedAnswer } from '../runtime/logging/access-log.js';
import { Metrics } from '../runtime/metrics/metrics.js';
import type { FastifyReply } from 'fastify';

import { countRequests } from './service-metrics.js';

/** Makes a completed request, as Fastify reports it. */
function ended(principal: object | undefined, over: Partial<EndedAnswer> = {}): EndedAnswer {
  const request = { method: 'GET', principal };
  const reply = { request, statusCode: 200 } as unknown as FastifyReply;
  return { reply, route: '/items', isComplete: true, durationMs: 250, ...over };
}

describe('the metrics of requests', () => {
  const series = async (answer: EndedAnswer): Promise<string[]> => {
    const metrics = new Metrics('items');
    countRequests(metrics)(answer);
    const lines = (await metrics.registry.metrics()).split('\n');
    return lines.filter((line) => /^items_http_request(s_total|_duration_seconds_sum)/.test(line));
  };

  it('have the kind of the credential, and never the credential itself', async () => {
    expect(await series(ended({ kind: 'basic', credentialId: 'user:ada', userId: 'ada' }))).toEqual([
      'items_http_requests_total{method="GET",route="/items",status="200",credential="basic"} 1',
      'items_http_request_duration_seconds_sum{method="GET",route="/items"} 0.25',
    ]);
  });

  it('have no status if the client left before the response', async () => {
    const [counted] = await series(ended(undefined, { isComplete: false, route: undefined }));
    expect(counted).toBe('items_http_requests_total{method="GET",route="unrouted",status="none",credential="none"} 1');
  });
});
