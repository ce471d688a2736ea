import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import type { AuditEvent, CreatedWebhook, Delivery, Webhook } from '@items/dtos/contract';
import { type Answer, HttpClient, startApp, type RunningApp } from '@items/testing';
import { Webhook as Verifier } from 'standardwebhooks';

import { conventions } from '../harness/conventions.js';
import { errorOf, expectStatus } from '../harness/reading.js';
import { eventually, Receiver } from '../harness/receiver.js';
import { databaseUnderTest, describeStarted } from '../harness/service.js';

const ALLOW = { WEBHOOK_ALLOW: '127.0.0.0/8' };

describeStarted('§6.2 Webhooks', () => {
  let app: RunningApp;
  let receiver: Receiver;
  let admin: HttpClient;
  let paths = 0;

  beforeAll(async () => {
    receiver = await Receiver.start();
    const env = { ...ALLOW, WEBHOOK_RETRIES: '0.4,0.4,60', WEBHOOK_DISABLE_AFTER: '4' };
    app = await startApp({ database: databaseUnderTest(), env });
    admin = new HttpClient({ baseUrl: app.baseUrl, observers: [conventions] }).withHeaders(['X-API-Key', app.adminKey]);
  });
  afterAll(async () => {
    await app.stop();
    await receiver.stop();
  });
  afterEach(async () => {
    receiver.answer = () => 204;
    const { webhooks } = (await admin.get('/webhooks?per_page=100')).json() as { webhooks: Webhook[] };
    for (const { id } of webhooks) await admin.delete(`/webhooks/${id}`);
  });

  /** Creates a webhook with its own path at the receiver. */
  async function created(input: object = {}, client = admin): Promise<CreatedWebhook & { readonly path: string }> {
    const path = `/${String((paths += 1))}`;
    const answer = await client.post('/webhooks', { url: receiver.url(path), events: ['*'], ...input });
    expectStatus(answer, 201);
    return { ...(answer.json() as CreatedWebhook), path };
  }

  async function item(name = 'Mug'): Promise<string> {
    const answer = await admin.post('/items', { name });
    expectStatus(answer, 201);
    return (answer.json() as { id: string }).id;
  }

  const shown = async (id: string): Promise<Webhook> => (await admin.get(`/webhooks/${id}`)).json() as Webhook;
  const deliveries = async (id: string, query = ''): Promise<Delivery[]> =>
    ((await admin.get(`/webhooks/${id}/deliveries${query}`)).json() as { deliveries: Delivery[] }).deliveries;
  const arrived = (path: string, count = 1) =>
    eventually(() => (receiver.at(path).length >= count ? receiver.at(path) : undefined));

  it('are sent signed events, in the form of the feed', async () => {
    const { id, path, secret } = await created();
    const itemId = await item();
    const [first] = await arrived(path);
    expect(new Verifier(secret).verify(first!.body, first!.headers as Record<string, string>)).toEqual(first!.event);
    expect(first!.event).toMatchObject({ type: 'item.created', data: { object: { id: itemId } } });
    expect(first!.headers).toMatchObject({
      'api-version': '2026-11-20',
      'webhook-id': first!.event.id,
      'content-type': expect.stringContaining('application/json') as string,
      'user-agent': expect.stringMatching(/./) as string,
    });
    expect((await admin.get(`/events/${first!.event.id}`)).json()).toEqual(first!.event);
    const [delivery] = await eventually(async () => {
      const found = await deliveries(id);
      return found.length > 0 ? found : undefined;
    });
    expect(delivery).toMatchObject({
      event_id: first!.event.id,
      type: 'item.created',
      status: 'succeeded',
      next_attempt_at: null,
    });
    for (const [query, count] of [
      ['type=item.created', 1],
      ['type=item.deleted', 0],
      ['status=succeeded&type=item.created,item.deleted', 1],
      ['status=failed', 0],
    ] as const) {
      expect(await deliveries(id, `?${query}`)).toHaveLength(count);
    }
    expect(delivery!.attempts).toEqual([
      { at: expect.any(String) as string, duration_ms: expect.any(Number) as number, status_code: 204, error: null },
    ]);
    const upTo = async () => ((await shown(id)).delivered_up_to === first!.event.id ? true : undefined);
    await eventually(upTo);
    expectStatus(await admin.get(`/events?after=${first!.event.id}`), 200);
  });

  it('begin with the next event, and send each event once, the first one first', async () => {
    await item('before');
    const { path } = await created({ events: ['item.*'] });
    await item('0');
    const [first] = await arrived(path, 1);
    expect(first?.event.data.object['name']).toBe('0');
    for (let n = 1; n < 12; n += 1) await item(String(n));
    // Up to ten attempts run concurrently, and may overtake each other.
    const names = (await arrived(path, 12)).map(({ event }) => Number(event.data.object['name']));
    expect(names.sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, n) => n));
  });

  it('show a secret once, and not to a repeated request', async () => {
    const headers: [string, string][] = [['Idempotency-Key', 'webhook-1']];
    const body = { url: receiver.url(), events: ['*'] };
    const first = await admin.withHeaders(...headers).post('/webhooks', body);
    expect((first.json() as CreatedWebhook).secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const again = await admin.withHeaders(...headers).post('/webhooks', body);
    expect(errorOf(again, 409).code).toBe('secret_not_replayable');
    const { id } = first.json() as Webhook;
    expect((await admin.get(`/webhooks/${id}`)).text).not.toContain('whsec_');
    expect((await admin.get('/webhooks')).text).not.toContain('whsec_');
  });

  it('are signed with both secrets until the former one expires', async () => {
    const { id, path, secret } = await created();
    const rotated = (await admin.post(`/webhooks/${id}/rotations`, { grace_seconds: 60 })).json() as CreatedWebhook;
    expect(rotated.secrets).toHaveLength(2);
    await item();
    const [first] = await arrived(path);
    for (const one of [secret, rotated.secret]) {
      expect(() => new Verifier(one).verify(first!.body, first!.headers as Record<string, string>)).not.toThrow();
    }
    expectStatus(await admin.post(`/webhooks/${id}/rotations`, { grace_seconds: 0 }), 201);
    await item();
    const [, second] = await arrived(path, 2);
    expect(() => new Verifier(secret).verify(second!.body, second!.headers as Record<string, string>)).toThrow();
  });

  it.each([
    ['http://10.0.0.1/', 'forbidden_address'],
    ['https://[::1]/', 'forbidden_address'],
    ['https://0xa.1:444/', 'forbidden_address'],
    ['https://localhost/', 'invalid_url'],
    ['https://example.com:80/', 'invalid_url'],
    ['https://user@example.com/', 'invalid_url'],
    ['ftp://example.com/', 'invalid_url'],
    ['', 'invalid_url'],
    [`https://example.com/${'a'.repeat(2029)}`, 'invalid_url'],
  ])('refuse the URL %j: 422 %s', async (url, code) => {
    const answer = await admin.post('/webhooks', { url, events: ['*'] });
    expect(errorOf(answer, 422).code).toBe(code);
  });

  it.each([[[]], [['item.sold']], [['nothing.*']], [['item.created', 'item.created']], [Array(21).fill('*')], ['*']])(
    'refuse the events %j: 422',
    async (events) => {
      const answer = await admin.post('/webhooks', { url: receiver.url(), events });
      expect(errorOf(answer, 422).details?.map(({ field }) => field)).toContain('events');
    },
  );

  it('are at most 20: 409 too_many_webhooks', async () => {
    const answers: Answer[] = [];
    for (let n = 0; n < 21; n += 1) answers.push(await admin.post('/webhooks', { url: receiver.url(), events: ['*'] }));
    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(20).fill(201), 409]);
    expect(errorOf(answers[20]!, 409).code).toBe('too_many_webhooks');
  });

  it('are tried again, with the same id and another time', async () => {
    receiver.answer = () => (receiver.received.length % 3 === 0 ? 204 : 500);
    receiver.received.length = 0;
    const { id, path } = await created();
    await item();
    const received = await arrived(path, 3);
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(received[1]!.atMs - received[0]!.atMs).toBeGreaterThanOrEqual(350);
    const done = await eventually(async () => (await deliveries(id, '?status=succeeded')).at(0));
    expect(done.attempts.map(({ status_code: status, error }) => [status, error])).toEqual([
      [500, 'status'],
      [500, 'status'],
      [204, null],
    ]);
  });

  it('are disabled after failing for too long, with an event in the feed that omits the URL', async () => {
    receiver.answer = () => 500;
    const { id } = await created({ events: ['item.*'] });
    // The service disables a webhook only at a failed attempt, so cause one with each item.
    const webhook = await eventually(async () => {
      await item();
      await sleep(300);
      const found = await shown(id);
      return found.disabled ? found : undefined;
    }, 60_000);
    expect(webhook).toMatchObject({ disabled_reason: 'failing', failing_since: expect.any(String) as string });
    const { events } = (await admin.get(`/events?type=webhook.disabled&object_id=${id}&wait=5`)).json() as {
      events: { data: { object: Record<string, unknown> } }[];
    };
    expect(events).toHaveLength(1);
    expect(events[0]!.data.object).toMatchObject({ id, disabled: true, disabled_reason: 'failing' });
    expect(JSON.stringify(events)).not.toMatch(/url|secret/);
  });

  it('are not disabled for one refused event after which no other event follows', async () => {
    receiver.answer = ({ event }) => (event.data.object['name'] === 'refused' ? 500 : 204);
    const other = await startApp({
      database: databaseUnderTest(),
      env: { ...ALLOW, WEBHOOK_RETRIES: '0.1', WEBHOOK_DISABLE_AFTER: '2' },
    });
    const client = new HttpClient({ baseUrl: other.baseUrl }).withHeaders(['X-API-Key', other.adminKey]);
    try {
      const { id, path } = await created({ events: ['item.*'] }, client);
      const look = async (): Promise<Webhook> => (await client.get(`/webhooks/${id}`)).json() as Webhook;
      expectStatus(await client.post('/items', { name: 'refused' }), 201);
      await arrived(path, 2);
      await eventually(async () => ((await look()).failing_since === null ? true : undefined));
      await sleep(3000);
      expect(await look()).toMatchObject({ disabled: false, failing_since: null });
      expectStatus(await client.post('/items', { name: 'taken' }), 201);
      await arrived(path, 3);
    } finally {
      await other.stop();
    }
  });

  it('are disabled immediately by 410, and begin with the next event when they are enabled again', async () => {
    receiver.answer = () => 410;
    const { id, path } = await created({ events: ['item.*'] });
    await item('first');
    await eventually(async () => ((await shown(id)).disabled_reason === 'gone' ? true : undefined));
    receiver.answer = () => 204;
    await item('second');
    const { url, events } = await shown(id);
    const kept = (await admin.put(`/webhooks/${id}`, { url, events })).json() as Webhook;
    expect(kept).toMatchObject({ disabled: true, disabled_reason: 'gone' });
    const enabled = (await admin.put(`/webhooks/${id}`, { url, events, disabled: false })).json() as Webhook;
    expect(enabled).toMatchObject({ disabled: false, disabled_reason: null, failing_since: null });
    await item('third');
    await arrived(path, 2);
    expect(receiver.at(path).map(({ event }) => event.data.object['name'])).toEqual(['first', 'third']);
    // The service has disabled the webhook, and an administrator has enabled it.
    const listed = (await admin.get(`/audit-events?object_id=${id}`)).json() as { audit_events: AuditEvent[] };
    expect(listed.audit_events.map(({ type, actor }) => [type, actor.type])).toEqual([
      ['webhook.created', 'api_key'],
      ['webhook.disabled', 'system'],
      ['webhook.updated', 'api_key'],
      ['webhook.updated', 'api_key'],
    ]);
    expect(listed.audit_events[1]).toMatchObject({ address: null, request_id: null });
    expect(listed.audit_events.map(({ changed }) => changed.includes('disabled'))).toEqual([false, true, false, true]);
  });

  it('get no request for the time in Retry-After', async () => {
    receiver.answer = (_received, response) => {
      response.writeHead(429, { 'retry-after': '2' }).end();
      return 'taken';
    };
    const { path } = await created();
    await item();
    await arrived(path);
    receiver.answer = () => 204;
    await item();
    await item();
    const received = await arrived(path, 4);
    expect(received[1]!.atMs - received[0]!.atMs).toBeGreaterThanOrEqual(1950);
  });

  it('are sent only pings while disabled; retries and replays are 409', async () => {
    const { id, path } = await created();
    await item();
    await arrived(path);
    const delivery = await eventually(async () => (await deliveries(id)).at(0));
    const { url, events } = await shown(id);
    await admin.put(`/webhooks/${id}`, { url, events, disabled: true });
    const attempt = await admin.post(`/webhooks/${id}/deliveries/${delivery.id}/attempts`, {});
    expect(errorOf(attempt, 409).code).toBe('webhook_disabled');
    const replay = await admin.post(`/webhooks/${id}/replays`, { after: delivery.event_id });
    expect(errorOf(replay, 409).code).toBe('webhook_disabled');
    await item();
    const ping = await admin.post(`/webhooks/${id}/pings`, {});
    expectStatus(ping, 201);
    const received = await arrived(path, 2);
    expect(received.map(({ event }) => event.type)).toEqual(['item.created', 'webhook.ping']);
    const { id: pingId } = ping.json() as Delivery;
    expect(ping.header('location')).toBe(`/webhooks/${id}/deliveries/${pingId}`);
    const target = `/webhooks/${id}/deliveries/${pingId}`;
    await eventually(async () => ((await admin.get(target)).text.includes('"succeeded"') ? true : undefined));
    expectStatus(await admin.get(`/events/${received[1]!.event.id}`), 404);
  });

  it('have at most 20 concurrent pings: 409 too_many_pings, also if all are requested concurrently', async () => {
    const held: ServerResponse[] = [];
    const hold = (_: unknown, response: ServerResponse): 'taken' => {
      held.push(response);
      return 'taken';
    };
    const statuses = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status).sort();
    const { id, path } = await created();
    const ping = (): Promise<Answer> => admin.post(`/webhooks/${id}/pings`, {});

    receiver.answer = hold;
    const pings = await Promise.all(Array.from({ length: 50 }, ping));
    expect(statuses(pings)).toEqual([...Array<number>(20).fill(201), ...Array<number>(30).fill(409)]);
    expect(
      errorOf(
        pings.find(({ status }) => status === 409)!,
        409,
      ).code,
    ).toBe('too_many_pings');
    const other = await created();
    expectStatus(await admin.post(`/webhooks/${other.id}/pings`, {}), 201);

    receiver.answer = () => 204;
    for (const response of held) response.writeHead(204).end();
    await arrived(path, 20);
    await eventually(async () => ((await deliveries(id, '?status=pending')).length === 0 ? true : undefined));
    receiver.answer = hold;
    const attempts = (await deliveries(id)).map((one) =>
      admin.post(`/webhooks/${id}/deliveries/${one.id}/attempts`, {}),
    );
    const again = await Promise.all([...attempts, ...Array.from({ length: 19 }, ping)]);
    expect(statuses(again)).toEqual([...Array<number>(20).fill(201), ...Array<number>(19).fill(409)]);
  });

  it('get requested deliveries again, and the events after a position', async () => {
    const { id, path } = await created({ events: ['item.created'] });
    // Send sequentially: concurrent attempts may overtake each other.
    for (let n = 0; n < 3; n += 1) {
      await item(String(n));
      await arrived(path, n + 1);
    }
    const ids = receiver.at(path).map(({ event }) => event.id);
    await eventually(async () => ((await deliveries(id)).length === 3 ? true : undefined));
    const [delivery] = await deliveries(id);
    const asked = await admin.post(`/webhooks/${id}/deliveries/${delivery!.id}/attempts`, {});
    expectStatus(asked, 201);
    await arrived(path, 4);
    expect(receiver.at(path)[3]!.event.id).toBe(delivery!.event_id);
    const replay = await admin.post(`/webhooks/${id}/replays`, { after: ids[0] });
    expectStatus(replay, 201);
    const received = await arrived(path, 6);
    const again = new Set(received.slice(4).map(({ event }) => event.id));
    expect(again).toEqual(new Set(ids.slice(1)));
    const unknown = await admin.post(`/webhooks/${id}/replays`, { after: id });
    expect(errorOf(unknown, 400).code).toBe('expired_cursor');
  });

  it('are sent the events that their creator may read, and are deleted with their creator', async () => {
    const scopes = ['items:read', 'webhooks:manage'];
    const key = (await admin.post('/api-keys', { name: 'Creator', scopes })).json() as { id: string; key: string };
    const creator = new HttpClient({ baseUrl: app.baseUrl }).withHeaders(['X-API-Key', key.key]);
    const { id, path } = await created({}, creator);
    const user = await admin.post('/users', { username: 'someone', password: 'a good password', role: 'viewer' });
    expectStatus(user, 201);
    await item();
    const [first] = await arrived(path);
    expect(first!.event.type).toBe('item.created');
    expectStatus(await admin.delete(`/api-keys/${key.id}`), 204);
    expectStatus(await admin.get(`/webhooks/${id}`), 404);
  });

  it('can be redirected only by a user who may read all their events: 403 scope_escalation', async () => {
    const { id, path, events } = await created({ events: ['item.*'] });
    const made = await admin.post('/api-keys', { name: 'webhooks only', scopes: ['webhooks:manage'] });
    const narrow = new HttpClient({ baseUrl: app.baseUrl }).withHeaders([
      'X-API-Key',
      (made.json() as { key: string }).key,
    ]);
    const elsewhere = { url: receiver.url('/elsewhere'), events };
    expect(errorOf(await narrow.put(`/webhooks/${id}`, elsewhere), 403).code).toBe('scope_escalation');
    expectStatus(await narrow.put(`/webhooks/${id}`, { url: receiver.url(path), events, description: 'Mine' }), 200);
    await item();
    await arrived(path);
    expect(receiver.at('/elsewhere')).toEqual([]);
    const own = await created({}, narrow);
    expectStatus(await narrow.put(`/webhooks/${own.id}`, elsewhere), 200);
    expectStatus(await admin.put(`/webhooks/${id}`, elsewhere), 200);
  });

  it('need webhooks:manage', async () => {
    const key = (await admin.post('/api-keys', { name: 'Other', scopes: ['items:read', 'keys:manage'] })).json() as {
      key: string;
    };
    const other = new HttpClient({ baseUrl: app.baseUrl }).withHeaders(['X-API-Key', key.key]);
    for (const target of ['/webhooks', '/webhooks/x', '/webhooks/x/deliveries']) {
      expect(errorOf(await other.get(target), 403).code).toBe('insufficient_scope');
    }
  });

  it('are 404 for an unknown id of any form', async () => {
    for (const id of ['x', '019a9f3e-5c7a-7d31-8b52-0e6a4f1c9d27']) {
      const answers = [
        await admin.get(`/webhooks/${id}`),
        await admin.put(`/webhooks/${id}`, { url: receiver.url(), events: ['*'] }),
        await admin.delete(`/webhooks/${id}`),
        await admin.get(`/webhooks/${id}/deliveries`),
        await admin.get(`/webhooks/${id}/deliveries/${id}`),
        await admin.post(`/webhooks/${id}/pings`, {}),
        await admin.post(`/webhooks/${id}/rotations`, {}),
        await admin.post(`/webhooks/${id}/replays`, { after: '019a9f3e-5c7a-7d31-8b52-0e6a4f1c9d27' }),
        await admin.post(`/webhooks/${id}/deliveries/${id}/attempts`, {}),
      ];
      expect(answers.map(({ status }) => status)).toEqual(Array(9).fill(404));
    }
  });
});
