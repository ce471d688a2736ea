import type { HttpClient } from '@items/testing';

import { admin } from '../harness/clients.js';
import { errorOf } from '../harness/reading.js';
import { createUser, withBasic } from '../harness/users.js';
import { memberOf, type CollectionUnderTest, type Member } from './collection-under-test.js';

const UNKNOWN_USER = '01890000-0000-7000-8000-000000000005';

/** §5: users access their own resources, an admin all. Uses Basic, so that the scopes of the role are effective. */
export function ownerRules(collection: CollectionUnderTest): void {
  describe('§5 Below a user: the owner, or admin', () => {
    let ada: HttpClient;
    let bob: HttpClient;
    let adaId: string;
    let bobId: string;
    let own: Member;
    const path = (userId: string): string => collection.pathBelow(userId);

    beforeAll(async () => {
      const users = [await createUser({ role: 'member' }), await createUser({ role: 'member' })] as const;
      [ada, bob] = [withBasic(users[0].username), withBasic(users[1].username)];
      [adaId, bobId] = [users[0].id, users[1].id];
      own = memberOf(await ada.post(path('me'), collection.body()), 201);
    });

    async function statuses(client: HttpClient, below: string, id = own.id): Promise<number[]> {
      const answers = [
        await client.get(below),
        await client.get(`${below}/${id}`),
        await client.post(below, collection.body()),
        await client.put(`${below}/${id}`, collection.body()),
        await client.delete(`${below}/${id}`, ['If-Match', '"another"']),
      ];
      return answers.map(({ status }) => status);
    }

    it("a new member belongs to the user in the path; me means the caller's id", async () => {
      expect(own['user_id']).toBe(adaId);
      expect(await statuses(ada, path('me'))).toEqual([200, 200, 201, 200, 412]);
      expect(await statuses(ada, path(adaId))).toEqual([200, 200, 201, 200, 412]);
    });

    it("another user's members: 403, even if there is no such user; admin may use them", async () => {
      expect(await statuses(bob, path(adaId))).toEqual(Array(5).fill(403));
      expect(await statuses(bob, path(UNKNOWN_USER))).toEqual(Array(5).fill(403));
      expect(await statuses(admin, path(adaId))).toEqual([200, 200, 201, 200, 412]);
    });

    it('below another user the same id is unknown, and is in no list', async () => {
      expect((await statuses(bob, path(bobId))).slice(1)).toEqual([404, 201, 404, 404]);
      expect((await statuses(admin, path(bobId))).slice(1)).toEqual([404, 201, 404, 404]);
      const listed = collection.rows((await bob.get(`${path('me')}?limit=100`)).json() as never);
      expect(new Set(listed.map((row) => row['user_id']))).toEqual(new Set([bobId]));
    });

    it('An unknown user is 404 for admin, and me is 404 for a credential without a user', async () => {
      expect(await statuses(admin, path(UNKNOWN_USER))).toEqual(Array(5).fill(404));
      errorOf(await admin.get(path('me')), 404);
    });

    it('a replacement never changes the owner', async () => {
      const sent = { ...collection.body(1), user_id: bobId };
      expect(memberOf(await ada.put(`${path('me')}/${own.id}`, sent))['user_id']).toBe(adaId);
    });

    it('deleting a user keeps their members: then only admin reads them', async () => {
      const user = await createUser({ role: 'member' });
      const left = memberOf(await admin.post(path(user.id), collection.body()), 201);
      await admin.delete(`/users/${user.id}`);
      expect(memberOf(await admin.get(`${path(user.id)}/${left.id}`))).toEqual(left);
      errorOf(await ada.get(`${path(user.id)}/${left.id}`), 403);
      errorOf(await admin.post(path(user.id), collection.body()), 404);
    });
  });
}
