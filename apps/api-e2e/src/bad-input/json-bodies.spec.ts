import { MAX_CREDENTIAL_BODY_BYTES } from '@items/conventions';
import type { Header } from '@items/testing';

import { admin } from '../harness/clients.js';
import { createItem, readItem } from '../harness/items.js';
import { expectStatus } from '../harness/reading.js';
import { BAD_BODIES } from './json-bodies.js';

const JSON_TYPE: Header = ['Content-Type', 'application/json'];

describe('Bad input: bodies', () => {
  let target: string;
  let before: unknown;

  beforeAll(async () => {
    const item = await createItem();
    target = `/items/${item.id}`;
    before = item;
  });

  afterAll(async () => {
    expect(await readItem(target.replace('/items/', ''))).toEqual(before);
  });

  it.each(BAD_BODIES.map(({ title, statuses, body }) => [title, statuses, body] as const))(
    '%s returns %j',
    async (_title, statuses, body) => {
      const send = { body, headers: [JSON_TYPE] };
      const created = await admin.send('POST', '/items', send);
      expectStatus(created, ...statuses);
      expect((await admin.send('POST', '/items', send)).text).toBe(created.text);
      expect((await admin.send('PUT', target, send)).text).toBe(created.text);
      // Operations that create a credential refuse long bodies. SPEC §4.5
      const isLong = Buffer.byteLength(body) > MAX_CREDENTIAL_BODY_BYTES;
      expectStatus(await admin.send('POST', '/api-keys', send), ...(isLong ? [413] : [400, 422]));
    },
  );

  it('after all of it the service still responds', async () => {
    await createItem();
  });
});
