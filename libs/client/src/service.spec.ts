import { closingFetch, startApp, type RunningApp } from '@items/testing';

import {
  AuthenticationError,
  createClient,
  etagOf,
  ExpiredCursorError,
  isCode,
  NotFoundError,
  PermissionError,
  PreconditionFailedError,
  ValidationError,
  type Auth,
  type ItemsClient,
} from './index.js';

let app: RunningApp;
let client: ItemsClient;
const password = 'correct horse battery staple';
const withAuth = (auth: Auth): ItemsClient => createClient({ baseUrl: app.baseUrl, auth, fetch: closingFetch });

beforeAll(async () => {
  app = await startApp({ database: 'sqlite' });
  client = withAuth({ apiKey: app.adminKey });
  await client.users.create({ username: 'ada', password, role: 'admin' });
});
afterAll(() => app.stop());

describe('with the real service', () => {
  it('creates, reads, replaces and deletes an item', async () => {
    const mug = await client.items.create({ name: ' Mug ', price: 4.35 });
    expect(mug).toMatchObject({ name: 'Mug', price: 4.35, color: null });
    expect(await client.items.get(mug.id)).toEqual(mug);
    const red = await client.items.update(mug.id, (item) => ({ ...item, color: 'red' }));
    expect(red).toMatchObject({ color: 'red', price: 4.35 });
    await expect(client.items.replace(mug.id, { name: 'Cup' }, { ifMatch: '"old"' })).rejects.toThrow(
      PreconditionFailedError,
    );
    const cup = await client.items.replace(mug.id, { name: 'Cup' }, { ifMatch: etagOf(red) });
    expect(cup).toMatchObject({ name: 'Cup', color: null, price: null });
    await client.items.delete(mug.id, { ifMatch: etagOf(cup) });
    const error: unknown = await client.items.get(mug.id).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NotFoundError);
    expect(isCode(error, 'item_not_found')).toBe(true);
  });

  it('one idempotency key creates one item', async () => {
    const made = await Promise.all(
      [1, 2].map(() => client.items.create({ name: 'One' }, { idempotencyKey: 'one-key-one-item' })),
    );
    expect(made[0]?.id).toBe(made[1]?.id);
  });

  it('a walk and pages return the same rows', async () => {
    for (let price = 1; price <= 5; price += 1) await client.items.create({ name: 'Walked', color: 'walked', price });
    const prices: (number | null)[] = [];
    for await (const { price } of client.items.walk({ color: 'walked', sort: '-price', limit: 2 })) prices.push(price);
    expect(prices).toEqual([5, 4, 3, 2, 1]);
    const page = await client.items.page({ color: ['walked', 'none'], sort: ['price'], page: 2, per_page: 2 });
    expect(page).toMatchObject({ page: 2, per_page: 2, total: 5, items: [{ price: 3 }, { price: 4 }] });
    expect((await client.items.page({ color: 'walked', limit: 2 })).next_cursor).toBeDefined();
  });

  it('the details list each problem of an input', async () => {
    const error: unknown = await client.items.create({ name: '' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toMatchObject({ status: 422, code: 'validation_failed' });
    expect((error as ValidationError).details).toEqual([
      { field: 'name', code: 'too_short', message: '"name" must not be empty.', params: { min: 1 } },
    ]);
    expect((error as ValidationError).requestId).toMatch(/^\S+$/);
  });

  it('many concurrent changes are all made', async () => {
    const { id } = await client.items.create({ name: 'Counter', price: 0 });
    const raise = (): Promise<unknown> =>
      client.items.update(id, (item) => ({ ...item, price: (item.price ?? 0) + 1 }));
    await Promise.all(Array.from({ length: 8 }, raise));
    expect(await client.items.get(id)).toMatchObject({ price: 8 });
  });

  it('every kind of credential is accepted, and a wrong one is an AuthenticationError', async () => {
    const key = await client.apiKeys.create({ name: 'reader', scopes: ['items:read'] });
    const app2 = await client.clients.create({
      name: 'Shop',
      redirect_uris: ['https://shop.example.com/callback'],
      scopes: ['items:read'],
      grant_types: ['client_credentials'],
    });
    const tokens = await client.sessions.create({ username: 'ada', password });
    const ways: readonly Auth[] = [
      { apiKey: key.key },
      { token: tokens.access_token },
      { token: () => Promise.resolve(tokens.access_token) },
      { username: 'ada', password },
      { session: { username: 'ada', password, scope: 'items:read' } },
      { session: { tokens: { access_token: 'out-of-date', refresh_token: tokens.refresh_token } } },
      { clientId: app2.client_id, clientSecret: app2.client_secret ?? '', scope: 'items:read' },
    ];
    for (const auth of ways) await expect(withAuth(auth).items.page()).resolves.toBeDefined();
    await expect(withAuth({ apiKey: key.key }).items.create({ name: 'x' })).rejects.toThrow(PermissionError);
    await expect(withAuth({ apiKey: `${key.key}x` }).items.page()).rejects.toThrow(AuthenticationError);
  });

  it('a user creates an order and changes its status', async () => {
    const item = await client.items.create({ name: 'Lamp', price: 2.5 });
    const ada = withAuth({ session: { username: 'ada', password } });
    const me = await ada.users.me();
    const order = await ada.orders('me').create({ lines: [{ item_id: item.id, quantity: 2 }] });
    expect(order).toMatchObject({ user_id: me.id, total: 5 });
    expect(await ada.orders(me.id).transition(order.id, 'confirmed')).toMatchObject({ to: 'confirmed' });
    expect((await ada.orders('me').page({ status: 'confirmed' })).orders).toHaveLength(1);
    expect((await ada.orders('me').get(order.id)).status).toBe('confirmed');
  });

  it('a key gets a new secret', async () => {
    const key = await client.apiKeys.create({ name: 'rotated', scopes: ['items:read'] });
    const { key: fresh } = await client.apiKeys.rotate(key.id, { grace_seconds: 0 });
    await expect(withAuth({ apiKey: key.key }).items.page()).rejects.toThrow(AuthenticationError);
    await expect(withAuth({ apiKey: fresh }).items.page()).resolves.toBeDefined();
  });

  it('the feed is followed, and continues after the position of an event', async () => {
    const { after } = await client.events.list({ sort: '-timestamp', limit: 1 });
    const controller = new AbortController();
    const followed = client.events.follow({ after, types: ['item.*'], signal: controller.signal });
    const first = followed.next();
    const bowl = await client.items.create({ name: 'Bowl', price: 3 });
    const created = (await first).value;
    expect(created).toMatchObject({ event: { type: 'item.created', data: { object: bowl } } });
    await client.items.update(bowl.id, (item) => ({ ...item, price: 4 }));
    await client.items.delete(bowl.id);
    expect((await followed.next()).value).toMatchObject({ event: { data: { previous: { price: 3 } } } });
    const deleted = (await followed.next()).value;
    expect(deleted).toMatchObject({ event: { type: 'item.deleted' } });

    const again = client.events.follow({ after: created?.after, types: ['item.*'], objectId: bowl.id });
    expect((await again.next()).value).toMatchObject({ event: { type: 'item.updated' } });
    expect((await again.next()).value).toEqual({ ...deleted, after: expect.any(String) });
    expect(await client.events.get(created?.event.id ?? '')).toEqual(created?.event);

    const waiting = followed.next();
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    const unknown = client.events.follow({ after: '019a9f59-d380-7000-9a17-3c5e2b7d8f40' });
    await expect(unknown.next()).rejects.toThrow(ExpiredCursorError);
  });

  it('a user changes their own password', async () => {
    await client.users.create({ username: 'bob', password, role: 'member' });
    const bob = withAuth({ username: 'bob', password });
    await bob.users.setPassword({ current_password: password, password: `${password}!` });
    await expect(withAuth({ username: 'bob', password: `${password}!` }).items.page()).resolves.toBeDefined();
  });
});
