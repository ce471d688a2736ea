import { freshColor } from '@items/testing';

import { admin, anonymous } from '../harness/clients.js';
import { createItem } from '../harness/items.js';
import { linksOf } from '../harness/link.js';
import { errorOf, expectStatus } from '../harness/reading.js';
import { startsServices } from '../harness/service.js';

/** The table of §4 and all other routes, each with its methods. */
const ROUTES: readonly [route: string, allowed: readonly string[]][] = [
  ['/items', ['GET', 'HEAD', 'OPTIONS', 'POST']],
  ['/items/{id}', ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PUT']],
  ['/api-keys', ['GET', 'HEAD', 'OPTIONS', 'POST']],
  ['/api-keys/{id}', ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PUT']],
  ['/health/live', ['GET', 'HEAD', 'OPTIONS']],
  ['/health/ready', ['GET', 'HEAD', 'OPTIONS']],
  ['/openapi.json', ['GET', 'HEAD', 'OPTIONS']],
];

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'SEARCH', 'LOCK', 'PURGE', 'MKCOL'];

const UNSUPPORTED = ROUTES.flatMap(([route, allowed]) =>
  METHODS.filter((method) => !allowed.includes(method)).map((method) => [method, route, allowed] as const),
);

function allowOf(value: string | undefined): string[] {
  return (value ?? '').split(', ').sort();
}

function targetOf(route: string): string {
  return route.replace('{id}', '01890000-0000-7000-8000-000000000004');
}

describe('§4 A method not supported on a URL returns 405, with Allow', () => {
  it.each(UNSUPPORTED)('%s %s', async (method, route, allowed) => {
    for (const client of startsServices ? [admin, anonymous] : [admin]) {
      const answer = await client.send(method, targetOf(route));
      const { error } = errorOf(answer, 405);
      expect(allowOf(answer.header('allow'))).toEqual([...allowed].sort());
      expect(error).toContain('GET');
    }
  });

  it('a body does not change this', async () => {
    errorOf(await admin.send('PATCH', '/items', { json: { name: 'Lamp' } }), 405);
    errorOf(await admin.send('DELETE', '/items', { body: '{', headers: [['Content-Type', 'text/plain']] }), 405);
  });
});

describe('§4 OPTIONS returns 204 with Allow', () => {
  it.each(ROUTES)('%s', async (route, allowed) => {
    const answer = await anonymous.send('OPTIONS', targetOf(route));
    expectStatus(answer, 204);
    expect(allowOf(answer.header('allow'))).toEqual([...allowed].sort());
    expect(answer.body).toHaveLength(0);
  });

  it.each(['/items', '/health/live', '/docs'])('refuses a credential in the URL too: %s', async (path) => {
    errorOf(await anonymous.send('OPTIONS', `${path}?api_key=x`), 400);
    errorOf(await admin.send('OPTIONS', path, { headers: [['Authorization', 'Bearer x']] }), 400);
  });

  it('OPTIONS of an unknown path is 404', async () => {
    errorOf(await anonymous.send('OPTIONS', '/nothing?api_key=x'), 404);
  });
});

describe('§4 HEAD is supported wherever GET is', () => {
  // Lists that no other spec changes.
  const lists = ['/items?color={color}', '/items?color={color}&per_page=1'];
  it.each([...lists, '/items/{new}', '/items/x', '/health/live', '/openapi.json'])(
    'HEAD %s has the response of GET, without the body',
    async (route) => {
      const color = freshColor();
      const target = route.replace('{color}', color).replace('{new}', (await createItem({ color })).id);
      const client = /health|openapi/.test(target) ? anonymous : admin;
      const [get, head] = [await client.get(target), await client.head(target)];
      expect(head.status).toBe(get.status);
      expect(head.body).toHaveLength(0);
      for (const name of ['content-type', 'etag', 'cache-control', 'x-ratelimit-limit']) {
        expect([name, head.header(name)]).toEqual([name, get.header(name)]);
      }
      expect([get.header('content-type'), get.header('cache-control')]).not.toContain(undefined);
      expect([undefined, String(get.body.length)]).toContain(head.header('content-length'));
    },
  );

  it('HEAD of a list carries Link', async () => {
    await createItem();
    for (const method of ['GET', 'HEAD']) {
      const links = linksOf(await admin.send(method, '/items?per_page=1'));
      expect([method, links['first']]).toEqual([method, '/items?page=1&per_page=1']);
    }
  });

  it('HEAD needs credentials as GET does', async () => {
    expect((await anonymous.head('/items')).status).toBe(401);
  });
});
