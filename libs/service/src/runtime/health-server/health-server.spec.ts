import { HttpClient } from '@items/testing';

import { goodAnswer, unavailable, HealthBoard } from './health-board.js';
import { HealthServer } from './health-server.js';

describe('HealthServer', () => {
  const board = new HealthBoard();
  const server = new HealthServer(board, { 'api-version': '2026-11-20' });
  let client: HttpClient;

  beforeAll(async () => {
    client = new HttpClient({ baseUrl: await server.listen({ port: 0, host: '127.0.0.1' }) });
  });
  afterAll(() => server.close());

  it('serves GET and HEAD with the last report and the common headers', async () => {
    board.report(goodAnswer({ status: 'ok' }));
    const answer = await client.get('/health/ready');
    expect([answer.status, answer.text]).toEqual([200, '{"status":"ok"}']);
    expect(answer.header('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.header('api-version')).toBe('2026-11-20');
    expect(answer.header('cache-control')).toBe('private, no-cache');
    expect((await client.head('/health/live')).status).toBe(200);
    board.report(unavailable('The database does not answer.'));
    const bad = await client.get('/health/ready');
    expect([bad.status, bad.header('retry-after')]).toEqual([503, '1']);
    expect(bad.json()).toEqual({ error: 'The database does not answer.', code: 'unavailable' });
  });

  it('serves nothing else', async () => {
    const [other, written] = [await client.get('/items'), await client.post('/health/live', {})];
    expect([other.status, other.json()]).toEqual([404, expect.objectContaining({ code: 'route_not_found' })]);
    expect([written.status, written.header('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});
