import type { Scope } from '@items/dtos/contract';
import { itemInput, type Answer, type HttpClient } from '@items/testing';

import { anonymous, clientWith } from '../harness/clients.js';
import { createItem } from '../harness/items.js';
import { errorOf, expectStatus } from '../harness/reading.js';

type Who = 'none' | 'bad' | 'read-only' | 'write' | 'keys';
type Operation = (client: HttpClient, id: string) => Promise<Answer>;

const UNKNOWN = '01890000-0000-7000-8000-000000000005';

/** The table of §5, and the operations of `keys:manage`. A `body` in it is valid. */
const OPERATIONS: readonly [title: string, scope: Scope, run: Operation, success: number][] = [
  ['GET /items', 'items:read', (client) => client.get('/items'), 200],
  ['HEAD /items', 'items:read', (client) => client.head('/items'), 200],
  ['GET /items/{id}', 'items:read', (client, id) => client.get(`/items/${id}`), 200],
  ['POST /items', 'items:write', (client) => client.post('/items', itemInput()), 201],
  ['PUT /items/{id}', 'items:write', (client, id) => client.put(`/items/${id}`, itemInput()), 200],
  ['DELETE /items/{id}', 'items:write', (client, id) => client.delete(`/items/${id}`), 204],
  ['GET /api-keys', 'keys:manage', (client) => client.get('/api-keys'), 200],
  ['POST /api-keys', 'keys:manage', (client) => client.post('/api-keys', { name: 'Key', scopes: [] }), 201],
  ['GET /api-keys/{id}', 'keys:manage', (client) => client.get(`/api-keys/${UNKNOWN}`), 404],
  ['PUT /api-keys/{id}', 'keys:manage', (client) => client.put(`/api-keys/${UNKNOWN}`, { name: 'Key' }), 404],
  ['DELETE /api-keys/{id}', 'keys:manage', (client) => client.delete(`/api-keys/${UNKNOWN}`), 404],
];

const SCOPES: Readonly<Record<Who, readonly Scope[]>> = {
  none: [],
  bad: [],
  'read-only': ['items:read'],
  write: ['items:read', 'items:write'],
  keys: ['keys:manage'],
};

describe('§5 Permissions', () => {
  let clients: Record<Who, HttpClient>;

  beforeAll(async () => {
    clients = {
      none: anonymous,
      bad: anonymous.withHeaders(['X-API-Key', 'itk_bad']),
      'read-only': await clientWith('items:read'),
      write: await clientWith('items:read', 'items:write'),
      keys: await clientWith('keys:manage'),
    };
  });

  const table = OPERATIONS.flatMap(([title, scope, run, success]) =>
    (Object.keys(SCOPES) as Who[]).map((who) => {
      const status = who === 'none' || who === 'bad' ? 401 : SCOPES[who].includes(scope) ? success : 403;
      return [title, who, status, scope, run] as const;
    }),
  );

  it.each(table)('%s with the credential "%s" returns %i', async (title, who, status, scope, run) => {
    const { id } = await createItem();
    const answer = await run(clients[who], id);
    expectStatus(answer, status);
    if (status !== 403) return;
    const challenge = answer.header('www-authenticate') ?? '';
    expect(challenge).toContain('error="insufficient_scope"');
    expect(challenge).toContain(`scope="${scope}"`);
    if (!title.startsWith('HEAD')) expect(errorOf(answer, 403).error).toContain(scope);
  });

  it('a 403 never discloses whether the id exists', async () => {
    const { id } = await createItem();
    for (const run of [OPERATIONS[4]![2], OPERATIONS[5]![2]]) {
      const [known, unknown] = [await run(clients['read-only'], id), await run(clients['read-only'], UNKNOWN)];
      expect(known.status).toBe(403);
      expect(unknown.text).toBe(known.text);
    }
  });

  it('a key without scopes can do nothing', async () => {
    const client = await clientWith();
    errorOf(await client.get('/items'), 403);
    errorOf(await client.post('/items', itemInput()), 403);
  });

  it('items:write alone reads nothing', async () => {
    const client = await clientWith('items:write');
    errorOf(await client.get('/items'), 403);
    expectStatus(await client.post('/items', itemInput()), 201);
  });

  it('other scopes give no access to items', async () => {
    const client = await clientWith('orders:read', 'users:read', 'keys:manage');
    errorOf(await client.get('/items'), 403);
  });
});
