import { setTimeout as sleep } from 'node:timers/promises';

import { BUSY_MS, HttpClient, itemInput, RawConnection, startApp, type RunningApp } from '@items/testing';

import { admin, clientWith, createKey, withKey } from '../harness/clients.js';
import { conventions } from '../harness/conventions.js';
import { about, endOfFeed, eventsOf, readEvents } from '../harness/events.js';
import { createItem } from '../harness/items.js';
import { errorOf, expectStatus } from '../harness/reading.js';
import { databaseUnderTest, describeStarted } from '../harness/service.js';

const patient = admin.withOptions({ timeoutMs: 30_000 });

describe('§6.1 wait', () => {
  it('holds an empty first page until an event comes', async () => {
    const name = `Awaited ${String(Date.now())}`;
    const { id } = await createItem({ name });
    const waiting = readEvents(`after=${await endOfFeed()}&wait=20&object_id=${id}`, patient);
    await sleep(300);
    const begun = performance.now();
    expectStatus(await admin.put(`/items/${id}`, itemInput({ name })), 200);
    expect(about((await waiting).events, id).map(({ type }) => type)).toEqual(['item.updated']);
    expect(performance.now() - begun).toBeLessThan(5_000);
  });

  it('ends with an empty page and the end position of the feed', async () => {
    const { id } = await createItem();
    const after = await endOfFeed();
    const begun = performance.now();
    const waiting = readEvents(`after=${after}&wait=1&object_id=${id}`, patient);
    await createItem();
    const page = await waiting;
    expect(performance.now() - begun).toBeGreaterThan(900);
    expect(page.events).toEqual([]);
    expect(page.after > after).toBe(true);
  });

  it('does not delay a page with events, or a page after a cursor', async () => {
    const after = await endOfFeed();
    for (let n = 0; n < 3; n += 1) await createItem();
    const begun = performance.now();
    const page = await readEvents(`after=${after}&wait=20&limit=1`);
    await readEvents(`after=${after}&wait=20&limit=1&cursor=${page.next_cursor ?? ''}`);
    expect(performance.now() - begun).toBeLessThan(5_000);
  });

  it('ends without an event if the credential has ended meanwhile', async () => {
    const { id, key } = await createKey({ scopes: ['items:read'] });
    const client = withKey(key).withOptions({ timeoutMs: 30_000 });
    const item = await createItem();
    const waiting = client.get(`/events?after=${await endOfFeed()}&wait=20&object_id=${item.id}`);
    await sleep(300);
    expectStatus(await admin.delete(`/api-keys/${id}`), 204);
    expectStatus(await admin.put(`/items/${item.id}`, itemInput()), 200);
    expect(errorOf(await waiting, 401).code).toBe('unauthorized');
  });

  it('costs one request of the quota', async () => {
    const client = await clientWith('items:read');
    const left = async (target: string): Promise<number> =>
      Number((await client.get(target)).header('x-ratelimit-remaining'));
    const { id } = await createItem();
    const before = await left('/items');
    expect(await left(`/events?after=${await endOfFeed()}&wait=1&object_id=${id}`)).toBe(before - 1);
  });
});

describeStarted('§6.1 A stopping service', () => {
  let app: RunningApp;

  it('ends long polls immediately', async () => {
    app = await startApp({ database: databaseUnderTest() });
    const connection = await RawConnection.open(app.port);
    connection.send(`GET /events?wait=20 HTTP/1.1\r\nHost: x\r\nX-API-Key: ${app.adminKey}\r\n\r\n`);
    await sleep(500);
    const begun = performance.now();
    const stopping = app.stop('SIGTERM');
    const answer = await connection.nextAnswer();
    expect(performance.now() - begun).toBeLessThan(1_500 + BUSY_MS);
    expect(eventsOf(answer!).events).toEqual([]);
    expect((await stopping).code).toBe(0);
  });
});

describeStarted('§6.1 EVENT_DAYS', () => {
  it('is the time for which events are listed, to the second', async () => {
    const app = await startApp({ database: databaseUnderTest(), env: { EVENT_DAYS: String(2 / 86_400) } });
    const client = new HttpClient({
      baseUrl: app.baseUrl,
      headers: [['X-API-Key', app.adminKey]],
      observers: [conventions],
    });
    const add = async (): Promise<string> => {
      const answer = await client.post('/items', itemInput());
      expectStatus(answer, 201);
      return (answer.json() as { id: string }).id;
    };
    try {
      const begin = await endOfFeed(client);
      const old = await add();
      const [event] = about((await readEvents(`after=${begin}`, client)).events, old);
      const last = await endOfFeed(client);
      await sleep(2_300);
      const fresh = await add();
      expect((await readEvents('', client)).events.map(({ data }) => data.object['id'])).toEqual([fresh]);
      expectStatus(await client.get(`/events/${event?.id ?? ''}`), 404);
      expect(errorOf(await client.get(`/events?after=${begin}`), 400).code).toBe('expired_cursor');
      expect((await readEvents(`after=${last}`, client)).events.map(({ data }) => data.object['id'])).toEqual([fresh]);
    } finally {
      await app.stop();
    }
  });
});

const UNKNOWN_ID = '01890000-0000-7000-8000-000000000005';

describeStarted('§6.1 EVENTS=off', () => {
  it('creates no events, and /events and /webhooks are 404 events_off', async () => {
    const app = await startApp({ database: databaseUnderTest(), env: { EVENTS: 'off' } });
    const client = new HttpClient({
      baseUrl: app.baseUrl,
      headers: [['X-API-Key', app.adminKey]],
      observers: [conventions],
    });
    try {
      expectStatus(await client.post('/items', itemInput()), 201);
      for (const target of [
        '/events',
        '/webhooks',
        ...['/events', '/webhooks'].map((path) => `${path}/${UNKNOWN_ID}`),
      ]) {
        expect(errorOf(await client.get(target), 404).code).toBe('events_off');
      }
      const webhook = { url: 'https://example.com/hook', events: ['*'] };
      expect(errorOf(await client.post('/webhooks', webhook), 404).code).toBe('events_off');
      expect(errorOf(await client.get(`/webhooks/${UNKNOWN_ID}/deliveries`), 404).code).toBe('events_off');
      expectStatus(await client.withOptions({ headers: [] }).get('/events'), 401);
    } finally {
      await app.stop();
    }
  });
});
