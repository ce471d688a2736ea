import { randomUUID } from 'node:crypto';

import type { Header } from '@items/testing';

import { admin } from '../harness/clients.js';
import { errorOf, expectStatus } from '../harness/reading.js';
import { memberOf, type CollectionUnderTest } from './collection-under-test.js';

/** §4 Beyond the table: repeated and concurrent requests. */
export function repetitionRules(collection: CollectionUnderTest): void {
  describe('§4 ETag, If-None-Match, If-Match', () => {
    it('If-None-Match → 304, until the member changes', async () => {
      const member = await collection.create();
      const target = collection.target(member);
      const etag = (await admin.get(target)).header('etag') ?? '';
      expectStatus(await admin.get(target, ['If-None-Match', etag]), 304);
      const changed = await admin.put(target, collection.body(1));
      expect(changed.header('etag')).not.toBe(etag);
      expectStatus(await admin.get(target, ['If-None-Match', etag]), 200);
    });

    it('PUT and DELETE honour If-Match → 412', async () => {
      const target = collection.target(await collection.create());
      const etag = (await admin.get(target)).header('etag') ?? '';
      memberOf(await admin.put(target, collection.body(1), ['If-Match', etag]));
      errorOf(await admin.put(target, collection.body(2), ['If-Match', etag]), 412);
      errorOf(await admin.delete(target, ['If-Match', etag]), 412);
      expectStatus(await admin.delete(target, ['If-Match', '*']), 204);
    });

    it('of 64 racing writers exactly one gets 200, the others 412', async () => {
      const member = await collection.create();
      const target = collection.target(member);
      const etag = (await admin.get(target)).header('etag') ?? '';
      const racers = Array.from({ length: 64 }, (_, n) => admin.put(target, collection.body(n), ['If-Match', etag]));
      const answers = await Promise.all(racers);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(63).fill(412)]);
      const [winner] = answers.filter(({ status }) => status === 200);
      expect(winner?.json()).toEqual(await collection.find(member.id));
    });
  });

  describe('§4 Idempotency-Key on POST', () => {
    const once = (): Header => ['Idempotency-Key', randomUUID()];

    it('a repeat returns the first response with Idempotent-Replayed: true, and creates nothing', async () => {
      await collection.with(0, async ({ query }) => {
        const [key, before] = [once(), await collection.total(query)];
        const body = collection.body();
        const first = await admin.post(collection.path, body, key);
        const repeat = await admin.post(collection.path, body, key);
        expectStatus(first, 201);
        expectStatus(repeat, 201);
        expect([first, repeat].map((answer) => answer.header('idempotent-replayed'))).toEqual([undefined, 'true']);
        expect(repeat.text).toBe(first.text);
        if (query === '') expect(await collection.total(query)).toBe(before + 1);
      });
    });

    it('only one of many racing repeats creates a member', async () => {
      const [key, body] = [once(), collection.body()];
      const racers = Array.from({ length: 16 }, () => admin.post(collection.path, body, key));
      const answers = await Promise.all(racers);
      for (const answer of answers) expectStatus(answer, 201, 409);
      const created = answers.filter(({ status }) => status === 201);
      expect(created.filter((answer) => answer.header('idempotent-replayed') === undefined)).toHaveLength(1);
      expect(new Set(created.map(({ text }) => text)).size).toBe(1);
    });

    it('another body with the same key is 422; a refused request leaves no record', async () => {
      const key = once();
      errorOf(await admin.post(collection.path, {}, key), 422);
      expectStatus(await admin.post(collection.path, collection.body(0), key), 201);
      errorOf(await admin.post(collection.path, collection.body(1), key), 422);
    });
  });
}
