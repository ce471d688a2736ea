import type { HttpClient } from '@items/testing';

import { admin, anonymous, clientWith, createKey, withKey } from '../harness/clients.js';
import { errorOf, expectStatus } from '../harness/reading.js';
import type { CollectionUnderTest } from './collection-under-test.js';

/** §5, §8: permissions and quotas. */
export function accessRules(collection: CollectionUnderTest): void {
  async function statuses(client: HttpClient): Promise<number[]> {
    const target = collection.target(await collection.create());
    return [
      await client.get(collection.path),
      await client.get(target),
      await client.post(collection.path, collection.body()),
      await client.put(target, collection.body()),
      await client.delete(target),
    ].map(({ status }) => status);
  }

  describe('§5 Least privilege', () => {
    it('Missing or invalid credentials return 401', async () => {
      expect(await statuses(anonymous)).toEqual(Array(5).fill(401));
      expect(await statuses(anonymous.withHeaders(['X-API-Key', 'itk_bad']))).toEqual(Array(5).fill(401));
    });

    it('a read-only credential reads', async () => {
      expect(await statuses(await clientWith(collection.read))).toEqual([200, 200, 403, 403, 403]);
    });

    it('a write credential writes', async () => {
      expect(await statuses(await clientWith(...collection.writes))).toEqual([403, 403, 201, 200, 204]);
    });

    it('Valid credentials without permission return 403 that names the missing scope', async () => {
      const answer = await (await clientWith()).get(collection.path);
      expect(errorOf(answer, 403).error).toContain(collection.read);
      expect(answer.header('www-authenticate')).toContain(`scope="${collection.read}"`);
    });
  });

  it('§8 When the quota is exceeded, the response is 429 with Retry-After', async () => {
    const { id, key } = await createKey({ scopes: [collection.read], rate_limit: { requests: 2, seconds: 60 } });
    const client = withKey(key).withOptions({ retriesAfter429: false });
    const remaining: unknown[] = [];
    for (const status of [200, 200, 429]) {
      const answer = await client.get(collection.path);
      expectStatus(answer, status);
      remaining.push(answer.header('x-ratelimit-remaining'));
    }
    expect(remaining).toEqual(['1', '0', '0']);
    await admin.delete(`/api-keys/${id}`);
  });
}
