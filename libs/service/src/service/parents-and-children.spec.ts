import { Text } from '@items/fields';
import { type HttpClient, onBothDatabases } from '@items/testing';

import { collection } from '../index.js';
import { StartedServices } from './started-services.testing.js';

class NoteInput {
  @Text({ min: 1, max: 200 }) text!: string;
}
const notes = collection({ name: 'notes', singular: 'note', input: NoteInput, parent: 'users' });
const marks = collection({ name: 'marks', singular: 'mark', input: NoteInput, parent: 'users', onDelete: 'keep' });

onBothDatabases(
  'Users and the members below them',
  async (config) => {
    const services = new StartedServices(config);
    const start = async (): Promise<HttpClient> => (await services.start({ collections: [notes, marks] })).admin;
    return { clients: [await start(), await start()] as const, close: () => services.close() };
  },
  (under) => {
    const made = async (client: HttpClient, username: string): Promise<string> => {
      const answer = await client.post('/users', { username, password: 'correct horse battery' });
      return (answer.json() as { id: string }).id;
    };

    it('a user who has some is not deleted', async () => {
      const [client] = under.database.clients;
      const id = await made(client, 'owner');
      await client.post(`/users/${id}/notes`, { text: 'Stay' });
      const refused = await client.delete(`/users/${id}`);
      expect([refused.status, refused.json()]).toMatchObject([409, { code: 'has_children' }]);
      expect((await client.get(`/users/${id}`)).status).toBe(200);
    });

    it("a user whose members outlive them is deleted (onDelete: 'keep')", async () => {
      const [client] = under.database.clients;
      const id = await made(client, 'keeper');
      const mark = await client.post(`/users/${id}/marks`, { text: 'Stay' });
      expect([mark.status, (await client.delete(`/users/${id}`)).status]).toEqual([201, 204]);
      const kept = (mark.json() as { id: string }).id;
      expect((await client.get(`/users/${id}/marks/${kept}`)).status).toBe(200);
    });

    it.each([[undefined], ['once']])(
      'none is made below a user whom another instance has just deleted (Idempotency-Key: %s)',
      async (key) => {
        const [client, other] = under.database.clients;
        const id = await made(client, key ?? 'leaver');
        // Make this instance cache the user.
        expect((await client.get(`/users/${id}/notes?page=1`)).status).toBe(200);
        expect((await other.delete(`/users/${id}`)).status).toBe(204);
        const headers: [string, string][] = key === undefined ? [] : [['Idempotency-Key', key]];
        const late = await client.send('POST', `/users/${id}/notes`, { headers, json: { text: 'Late' } });
        expect([late.status, late.json()]).toMatchObject([404, { code: 'user_not_found' }]);
        expect((await other.get(`/users/${id}/notes?page=1`)).status).toBe(404);
      },
    );

    it('one of a concurrent deletion and creation comes first', async () => {
      const [client, other] = under.database.clients;
      for (let round = 0; round < 10; round++) {
        const id = await made(client, `racer-${String(round)}`);
        await client.get(`/users/${id}/notes?page=1`);
        const answers = await Promise.all([
          client.post(`/users/${id}/notes`, { text: 'Race' }),
          other.delete(`/users/${id}`),
        ]);
        expect([
          [201, 409],
          [404, 204],
        ]).toContainEqual(answers.map((answer) => answer.status));
      }
    });
  },
);
