import { randomUUID } from 'node:crypto';

import type { CreatedSession } from '@items/dtos/contract';
import { freshColor, itemInput, type Answer, type Header, type HttpClient } from '@items/testing';

import { admin, anonymous, clientWith, createKey, withKey } from '../harness/clients.js';
import { deleteItem, createItem } from '../harness/items.js';
import { errorOf, expectStatus, itemOf, offsetPageOf } from '../harness/reading.js';
import { logIn, withToken } from '../harness/tokens.js';
import { createUser, withBasic } from '../harness/users.js';

const once = (key: string): Header => ['Idempotency-Key', key];

async function count(color: string): Promise<number> {
  return offsetPageOf(await admin.get(`/items?color=${color}`)).total;
}

function isReplay(answer: Answer): boolean {
  return answer.header('idempotent-replayed') === 'true';
}

describe('§4 Idempotency-Key on POST', () => {
  let color: string;
  let key: string;

  beforeEach(() => {
    color = freshColor();
    key = randomUUID();
  });

  it('a repeat returns the first response with Idempotent-Replayed: true, and creates nothing', async () => {
    const first = await admin.post('/items', itemInput({ color }), once(key));
    const repeat = await admin.post('/items', itemInput({ color }), once(key));
    expectStatus(first, 201);
    expectStatus(repeat, 201);
    expect(first.header('idempotent-replayed')).toBeUndefined();
    expect(isReplay(repeat)).toBe(true);
    expect(repeat.text).toBe(first.text);
    const told = (answer: Answer): unknown[] => ['location', 'etag', 'content-type'].map((name) => answer.header(name));
    expect(told(first)).not.toContain(undefined);
    expect(told(repeat)).toEqual(told(first));
    expect(await count(color)).toBe(1);
  });

  it('a repeat returns the first response even after the item has changed or was deleted', async () => {
    const first = await admin.post('/items', itemInput({ color }), once(key));
    const { id } = itemOf(first, 201);
    await admin.put(`/items/${id}`, { name: 'Changed' });
    expect((await admin.post('/items', itemInput({ color }), once(key))).text).toBe(first.text);
    await deleteItem(id);
    expect((await admin.post('/items', itemInput({ color }), once(key))).text).toBe(first.text);
    expect(await count(color)).toBe(0);
  });

  it('a repeat returns the first response even if the path is spelled differently', async () => {
    const first = await admin.post('/%69tems', itemInput({ color }), once(key));
    const repeat = await admin.post('/items', itemInput({ color }), once(key));
    expectStatus(first, 201);
    expect(first.header('location')).toBe(`/items/${itemOf(first, 201).id}`);
    expect(isReplay(repeat)).toBe(true);
    expect(await count(color)).toBe(1);
  });

  it('another body with the same key is 422', async () => {
    expectStatus(await admin.post('/items', itemInput({ color }), once(key)), 201);
    errorOf(await admin.post('/items', itemInput({ color, name: 'Other' }), once(key)), 422);
    expect(await count(color)).toBe(1);
  });

  it('a repeat while the first is in flight is 409: of many racing, one creates', async () => {
    const racers = Array.from({ length: 24 }, () => admin.post('/items', itemInput({ color }), once(key)));
    const answers = await Promise.all(racers);
    for (const answer of answers) expectStatus(answer, 201, 409);
    const created = answers.filter((answer) => answer.status === 201);
    expect(created.filter((answer) => !isReplay(answer))).toHaveLength(1);
    expect(new Set(created.map((answer) => answer.text)).size).toBe(1);
    expect(await count(color)).toBe(1);
  });

  it('a refused request leaves no record', async () => {
    const readOnly = await clientWith('items:read');
    const refusals = [
      await admin.post('/items', { name: '' }, once(key)),
      await admin.send('POST', '/items', { body: '{', headers: [once(key), ['Content-Type', 'application/json']] }),
      await readOnly.post('/items', itemInput({ color }), once(key)),
    ];
    expect(refusals.map((answer) => answer.status)).toEqual([422, 400, 403]);
    const answer = await admin.post('/items', itemInput({ color }), once(key));
    expectStatus(answer, 201);
    expect(isReplay(answer)).toBe(false);
  });

  it('is separate for each API key without a user', async () => {
    const other = await clientWith('items:write');
    for (const client of [admin, other]) {
      const answer = await client.post('/items', itemInput({ color }), once(key));
      expectStatus(answer, 201);
      expect(isReplay(answer)).toBe(false);
    }
    expect(await count(color)).toBe(2);
  });

  it('is separate for each API key without a user, also concurrently', async () => {
    const clients = await Promise.all(Array.from({ length: 8 }, () => clientWith('items:write')));
    const answers = await Promise.all(clients.map((client) => client.post('/items', itemInput({ color }), once(key))));
    for (const answer of answers) expectStatus(answer, 201);
    expect(await count(color)).toBe(8);
  });

  it('is shared by all credentials of a user, so that it survives a refresh and a new login', async () => {
    const { username } = await createUser({ role: 'member' });
    const basicClient = withBasic(username);
    const session = await logIn(username);
    const refreshed = await anonymous.send('POST', '/oauth/token', {
      body: `grant_type=refresh_token&client_id=first-party&refresh_token=${session.refresh_token}`,
      headers: [['Content-Type', 'application/x-www-form-urlencoded']],
    });
    const clients = [
      withToken((refreshed.json() as CreatedSession).access_token),
      withToken((await logIn(username)).access_token),
      withKey((await createKey({ scopes: ['items:write'] }, basicClient)).key),
      basicClient,
    ];
    const [first, ...others] = clients as [HttpClient, ...HttpClient[]];
    const answer = await first.post('/items', itemInput({ color }), once(key));
    expectStatus(answer, 201);
    for (const client of others) {
      const repeat = await client.post('/items', itemInput({ color }), once(key));
      expect([repeat.status, repeat.text, isReplay(repeat)]).toEqual([201, answer.text, true]);
    }
    const another = withBasic((await createUser({ role: 'member' })).username);
    expect(isReplay(await another.post('/items', itemInput({ color }), once(key)))).toBe(false);
    expect(await count(color)).toBe(2);
  });

  it('is separate for each route', async () => {
    const body = { name: 'Same', scopes: ['items:read'] };
    expectStatus(await admin.post('/api-keys', body, once(key)), 201);
    expectStatus(await admin.post('/items', { name: 'Same', color }, once(key)), 201);
  });

  it('different keys are different requests, and so are requests without a key', async () => {
    await createItem({ color });
    await createItem({ color });
    await admin.post('/items', itemInput({ color }), once(key));
    await admin.post('/items', itemInput({ color }), once(`${key}x`));
    await admin.post('/items', itemInput({ color }), once(key.toUpperCase()));
    expect(await count(color)).toBe(5);
  });

  it.each([
    ['1 character', (): string => '~'],
    ['255 characters', (): string => key.padEnd(255, 'k')],
    ['any visible characters', (): string => `${key}!#$%&'*+-.^_\`|~(){}[]:;<>=?@/\\`],
  ])('has 1–255 characters: %s', async (_title, made) => {
    const client: HttpClient = await clientWith('items:write');
    expectStatus(await client.post('/items', itemInput({ color }), once(made())), 201);
    expect(isReplay(await client.post('/items', itemInput({ color }), once(made())))).toBe(true);
  });

  it.each([
    ['256 characters', 'k'.repeat(256)],
    ['none', ''],
  ])('has 1–255 characters: %s are 400', async (_title, made) => {
    errorOf(await admin.post('/items', itemInput({ color }), once(made)), 400);
    expect(await count(color)).toBe(0);
  });

  it('must not be repeated: two headers are 400', async () => {
    errorOf(await admin.post('/items', itemInput({ color }), once(key), once(`${key}x`)), 400);
    expect(await count(color)).toBe(0);
  });

  it('a response that holds a secret is not replayed: 409 with Location', async () => {
    const body = { name: 'Once', scopes: ['items:read'] };
    const first = await admin.post('/api-keys', body, once(key));
    expectStatus(first, 201);
    const repeat = await admin.post('/api-keys', body, once(key));
    expect(errorOf(repeat, 409).code).toBe('secret_not_replayable');
    expect(repeat.header('location')).toBe(first.header('location'));
    expect(repeat.text).not.toContain((first.json() as { key: string }).key);
  });
});
