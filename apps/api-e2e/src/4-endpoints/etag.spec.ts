import type { Answer } from '@items/testing';

import { admin } from '../harness/clients.js';
import { createItem } from '../harness/items.js';
import { errorOf, expectStatus, itemOf } from '../harness/reading.js';

const STRONG = /^"[\x21\x23-\x7e\x80-\xff]+"$/;

function etagOf(answer: Answer): string {
  expect(answer.header('etag')).toMatch(STRONG);
  return answer.header('etag') ?? '';
}

describe('§4 GET, PUT return a strong ETag', () => {
  let target: string;
  beforeEach(async () => {
    target = `/items/${(await createItem()).id}`;
  });

  it('the ETag stays the same as long as the item does', async () => {
    const etag = etagOf(await admin.get(target));
    expect(etagOf(await admin.get(target))).toBe(etag);
    expect(etagOf(await admin.head(target))).toBe(etag);
  });

  it('a change gives the item a new ETag, which is already in the response to PUT', async () => {
    const before = etagOf(await admin.get(target));
    const changed = etagOf(await admin.put(target, { name: 'Desk' }));
    expect(changed).not.toBe(before);
    expect(etagOf(await admin.get(target))).toBe(changed);
  });

  it('each state has an ETag of its own', async () => {
    const bodies = new Map<string, string>();
    for (const name of ['a', 'b', 'a', 'b', 'a']) {
      const replaced = await admin.put(target, { name });
      const etag = etagOf(replaced);
      expect(bodies.get(etag) ?? replaced.text).toBe(replaced.text);
      bodies.set(etag, replaced.text);
    }
    expect(bodies.size).toBeGreaterThanOrEqual(2);
  });

  it('lists carry no ETag', async () => {
    for (const list of ['/items', '/items?limit=1', '/api-keys']) {
      const answer = await admin.get(list);
      expectStatus(answer, 200);
      expect(answer.header('etag')).toBeUndefined();
    }
  });

  describe('If-None-Match → 304', () => {
    const matching: readonly [string, (etag: string) => string][] = [
      ['the ETag', (etag) => etag],
      ['*', () => '*'],
      ['a list that holds it', (etag) => `"a", ${etag}, "b"`],
      ['a list without spaces', (etag) => `"a",${etag}`],
      ['its weak form', (etag) => `W/${etag}`],
    ];

    it.each(matching)('%s', async (_title, condition) => {
      const etag = etagOf(await admin.get(target));
      for (const method of ['GET', 'HEAD']) {
        const answer = await admin.send(method, target, { headers: [['If-None-Match', condition(etag)]] });
        expect(answer.status).toBe(304);
        expect(answer.body).toHaveLength(0);
        expect(answer.header('etag')).toBe(etag);
      }
    });

    it.each(['"another"', '"a", "b"', 'W/"another"', '""'])('another ETag is 200: %s', async (condition) => {
      itemOf(await admin.get(target, ['If-None-Match', condition]));
    });

    it('a changed item is 200', async () => {
      const etag = etagOf(await admin.get(target));
      await admin.put(target, { name: 'Desk' });
      expect(itemOf(await admin.get(target, ['If-None-Match', etag])).name).toBe('Desk');
    });

    it('an unknown id is 404', async () => {
      errorOf(await admin.get('/items/x', ['If-None-Match', '*']), 404);
    });
  });
});
