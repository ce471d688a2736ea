import type { Header } from '@items/testing';

import { admin, anonymous } from '../harness/clients.js';
import { createItem } from '../harness/items.js';
import { expectStatus } from '../harness/reading.js';
import { startsServices } from '../harness/service.js';

const JSON_TYPE: Header = ['Content-Type', 'application/json'];

/** Headers that a list ignores or refuses; none may cause a 5xx. */
const HEADERS: readonly [title: string, header: Header][] = [
  ['If-None-Match', ['If-None-Match', 'not quoted']],
  ['an open quote in If-None-Match', ['If-None-Match', '"']],
  ['a long If-None-Match', ['If-None-Match', '"a", '.repeat(1_500)]],
  ['If-Match', ['If-Match', 'not quoted']],
  ['an empty If-Match', ['If-Match', '']],
  ['If-Modified-Since', ['If-Modified-Since', 'yesterday']],
  ['Range', ['Range', 'bytes=0-0,-1']],
  ['a backward Range', ['Range', 'bytes=9-1']],
  ['Accept', ['Accept', 'nonsense;;q=9']],
  ['Accept-Encoding', ['Accept-Encoding', '*;q=0']],
  ['Accept-Charset', ['Accept-Charset', 'utf-7']],
  ['Accept-Language', ['Accept-Language', 'xx-'.repeat(500)]],
  ['Content-Type of nothing', ['Content-Type', ';;;']],
  ['Content-Encoding of nothing', ['Content-Encoding', 'gzip']],
  ['Prefer', ['Prefer', 'respond-async']],
  ['X-HTTP-Method-Override', ['X-HTTP-Method-Override', 'DELETE']],
  ['X-Original-URL', ['X-Original-URL', '/api-keys']],
  ['X-Forwarded-Proto', ['X-Forwarded-Proto', 'gopher']],
  ['X-Forwarded-For', ['X-Forwarded-For', `${'1.2.3.4, '.repeat(500)}x`]],
  ['Forwarded', ['Forwarded', 'for="_gazonk";proto=;;,']],
  ['X-Request-Id', ['X-Request-Id', '{"level":60}" \u00ff']],
  ['Idempotency-Key', ['Idempotency-Key', '\u00ff']],
  ['Origin', ['Origin', 'not an origin']],
  ['Cookie', ['Cookie', '=;=;'.repeat(1_000)]],
  ['Connection', ['Connection', 'keep-alive, x-api-key']],
  ['TE', ['TE', 'trailers, deflate;q=0.5']],
  ['Upgrade', ['Upgrade', 'h2c, websocket']],
  ['Traceparent', ['Traceparent', '00-0-0-0']],
  ['User-Agent', ['User-Agent', '() { :;}; echo']],
  ['a name like a prototype', ['__proto__', 'x']],
  ['constructor', ['constructor', 'x']],
];

const ROUTES = ['/items', '/items/{id}', '/items/x', '/api-keys', '/health/live', '/health/ready', '/nothing'];

describe('Bad input: headers', () => {
  it.each(HEADERS)('%s is never a 5xx', async (_title, header) => {
    const { id } = await createItem();
    for (const [method, target] of [
      ['GET', '/items'],
      ['GET', `/items/${id}`],
      ['HEAD', '/items'],
      ['OPTIONS', '/items'],
    ] as const) {
      expectStatus(await admin.send(method, target, { headers: [header] }), 200, 204, 304, 400);
    }
    const written = await admin.send('PUT', `/items/${id}`, { body: '{"name":"Lamp"}', headers: [JSON_TYPE, header] });
    expectStatus(written, 200, 400, 412, 415);
  });

  it('HEAD and OPTIONS everywhere, with and without credential', async () => {
    const { id } = await createItem();
    for (const route of ROUTES) {
      const target = route.replace('{id}', id);
      for (const client of startsServices ? [admin, anonymous] : [admin]) {
        expectStatus(await client.head(target), 200, 401, 404);
        expectStatus(await client.send('OPTIONS', target), 204, 404);
        expectStatus(await client.send('OPTIONS', target, { body: '{', headers: [JSON_TYPE] }), 204, 404);
      }
    }
  });

  it('a body on GET, HEAD and DELETE changes nothing', async () => {
    const { id } = await createItem();
    const options = { body: '{"name":', headers: [JSON_TYPE] };
    for (let i = 0; i < 3; i += 1) {
      expectStatus(await admin.send('GET', `/items/${id}`, options), 200, 400, 413, 415);
      expectStatus(await admin.send('HEAD', `/items/${id}`, options), 200, 400, 413, 415);
    }
    expectStatus(await admin.send('DELETE', `/items/${id}`, options), 204, 400, 415);
    expectStatus(await admin.get('/items'), 200);
  });
});
