import { admin, anonymous } from '../harness/clients.js';
import { createItem } from '../harness/items.js';
import { expectStatus } from '../harness/reading.js';
import { startsServices } from '../harness/service.js';

const long = 'a'.repeat(7_000);

/** Targets of GET, with their possible statuses. */
const TARGETS: readonly [target: string, statuses: readonly number[]][] = [
  // Percent-encoding that is invalid, or not UTF-8.
  ...['/items/%ZZ', '/items/%', '/items/%F', '/items/%4', '/items/a%zz', '/items/%%', '/items/%u0041'],
  ...['/items/%FF', '/items/%C0%80', '/items/%ED%A0%80', '/items/%E2%82', '/items/%80', '/items/%F4%90%80%80'],
  ...['/%ZZ', '/%FF', '/nothing/%ZZ', '/items%', '/items/x/%ZZ', '/api-keys/%ZZ', '/api-keys/%FF'],
  ...['/items?%ZZ', '/items?color=%ZZ', '/items?color=%', '/items?color=%FF', '/items?%FF=1', '/items?color=%C0%80'],
  ...['/items?color=%ED%A0%80', '/items?color=a%E2%82', '/items?a=1&color=%F', '/nothing?a=%ZZ', '/health/live?%ZZ'],
].map((target): [string, number[]] => [target, [400]]);

const OTHERS: readonly [target: string, statuses: readonly number[]][] = [
  ['/items/%00', [404]],
  ['/items/%2F', [404]],
  ['/items/%2e%2e', [404]],
  ['/items/', [404]],
  ['/items//', [404]],
  ['/', [404]],
  ['//', [404]],
  ['/items;a=1', [404]],
  ['/items.json', [404]],
  ['/./items', [404]],
  ['/../items', [404]],
  ['/items/../items', [404]],
  ['/%69tems', [200, 404]],
  ['/items%00', [404]],
  ['/items%20', [404]],
  ['/items/\\..\\', [404]],
  ['/__proto__', [404]],
  ['/constructor', [404]],
  [`/items/${long}`, [404]],
  [`/${long}`, [404]],
  [`/${'a/'.repeat(3_000)}`, [404]],
  ['/items?', [200]],
  ['/items?&', [200, 400]],
  ['/items?&&page=1&', [200, 400]],
  ['/items?=', [400]],
  ['/items?=x', [400]],
  ['/items??', [400]],
  ['/items?page', [400]],
  ['/items?page=1?per_page=2', [400]],
  ['/items?page=1;per_page=2', [400]],
  ['/items?page=1#fragment', [200, 400]],
  ['/items?color=%00', [200, 400]],
  ['/items?color=', [200, 400]],
  ['/items?color=,', [200, 400]],
  ['/items?color=red,', [200, 400]],
  ['/items?color=a%2Cb', [200]],
  ['/items?color=%25', [200]],
  ['/items?color=%27%20OR%201=1--', [200]],
  ['/items?color=%F0%9F%98%80', [200]],
  [`/items?color=${long}`, [200, 400]],
  [`/items?color=${'a,'.repeat(3_000)}a`, [200, 400]],
  [`/items?${'a=1&'.repeat(1_500)}`, [400]],
  [`/items?${'page=1&'.repeat(900)}`, [400]],
  [`/items?sort=${'-price,name,'.repeat(500)}`, [400]],
  [`/items?page=${'9'.repeat(7_000)}`, [400]],
];

describe('Bad input: targets', () => {
  it.each([...TARGETS, ...OTHERS].map(([target, statuses]) => [target.slice(0, 80), statuses, target] as const))(
    'GET %s returns %j',
    async (_title, statuses, target) => {
      const first = await admin.get(target);
      expectStatus(first, ...statuses);
      if (first.status >= 400) expect((await admin.get(target)).text).toBe(first.text);
      expectStatus(await admin.head(target), first.status);
      if (startsServices) expectStatus(await anonymous.get(target), 400, 401, 404, 200);
    },
  );

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('%s with bad encoding is 400 as well', async (method) => {
    for (const target of ['/items/%ZZ', '/items?a=%FF', '/nothing/%FF']) {
      expectStatus(await admin.send(method, target), 400);
      if (startsServices) expectStatus(await anonymous.send(method, target), 400);
    }
  });

  it('after all of it the service still responds', async () => {
    await createItem();
  });
});
