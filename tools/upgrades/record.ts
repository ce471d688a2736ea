import { createHash, randomBytes } from 'node:crypto';

import { Browser, HttpClient, type Answer, type Header } from '@items/testing';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- responses of any shape
type Json = Record<string, any>;

/** Environment of the recorded service, and of the later version that opens its database. */
export const ENV = {
  ADMIN_API_KEY: 'a'.repeat(32),
  BASE_URL: 'http://localhost:3000',
  WEBHOOK_ALLOW: '127.0.0.0/8',
};
const PASSWORD = 'correct horse battery';
const CALLBACK = 'https://shop.example/callback';
const VERIFIER = randomBytes(32).toString('base64url');
/** No server listens on this port, so deliveries stay pending. */
const UNREACHABLE = 'http://127.0.0.1:9';

/** Lists whose first page is recorded. A later version must return the remaining pages. */
const WALKS = [
  ['admin', '/items?limit=3', 'items'],
  ['admin', '/items?limit=2&sort=-price,name', 'items'],
  ['admin', '/items?limit=1&color=red,blue&sort=name', 'items'],
  ['admin', '/items?limit=2&sort=price&price_min=2&price_max=8.5', 'items'],
  ['admin', '/items?limit=1&sort=-name&name_prefix=Item', 'items'],
  ['admin', '/users?limit=1', 'users'],
  ['admin', '/users?limit=1&role=member&sort=-username', 'users'],
  ['admin', '/orders?limit=1&sort=-total', 'orders'],
  ['mary by session', '/users/me/orders?limit=1', 'orders'],
  ['mary by session', '/api-keys?limit=1', 'api_keys'],
  ['mary by session', '/sessions?limit=1', 'sessions'],
  ['admin', '/clients?limit=1', 'clients'],
  ['admin', '/events?limit=4', 'events'],
  ['admin', '/events?limit=2&sort=-timestamp&type=item.*', 'events'],
  ['mary by session', '/events?limit=1&type=order.created', 'events'],
  ['admin', '/audit-events?limit=25', 'audit_events'],
];

/**
 * Fills a service with data of all kinds. Returns the credentials and cursors that the service issued, and the expected
 * responses.
 */
export async function record(baseUrl: string): Promise<Json> {
  const credentials: Record<string, Header[]> = {
    admin: [['X-API-Key', ENV.ADMIN_API_KEY]],
    'mary by password': [basic('mary', PASSWORD)],
  };
  const as = (name: string) => new HttpClient({ baseUrl, headers: credentials[name] ?? [] });
  const post = async (name: string, target: string, body: Json, ...headers: Header[]): Promise<Json> =>
    ok(await as(name).post(target, body, ...headers));
  const form = async (path: string, fields: Record<string, string>, ...headers: Header[]): Promise<Json> => {
    const body = new URLSearchParams(fields).toString();
    const type: Header = ['Content-Type', 'application/x-www-form-urlencoded'];
    return ok(await as('nobody').send('POST', path, { headers: [type, ...headers], body }));
  };
  const bearer = (token: string): Header[] => [['Authorization', `Bearer ${token}`]];
  const repeated: Json[] = [];
  const postOnce = async (name: string, target: string, json: Json) => {
    const headers: Header[] = [['Idempotency-Key', `once-${repeated.length}`]];
    const made = await post(name, target, json, ...headers);
    const again = await as(name).post(target, json, ...headers);
    repeated.push({ as: name, method: 'POST', target, headers, json, ...shown(again) });
    return made;
  };

  const mary = await post('admin', '/users', { username: 'mary', password: PASSWORD, role: 'member', name: 'Mary' });
  await post('admin', '/users', { username: 'vera', password: PASSWORD });
  await post('admin', '/users', { username: 'rita', password: PASSWORD, role: 'admin', email: 'rita@example.com' });
  const former = await post('admin', '/users', { username: 'fred', password: PASSWORD, role: 'member' });
  const off = await post('admin', '/users', { username: 'otto', password: PASSWORD, role: 'member' });
  await as('admin').put(`/users/${off.id}`, { username: 'otto', disabled: true });
  const items: Json[] = [];
  for (let n = 1; n <= 9; n += 1) {
    const color = [null, 'red', 'blue'][n % 3];
    items.push(await postOnce('admin', '/items', { name: `Item ${n}`, color, price: n === 9 ? null : n + 0.25 }));
  }
  const order = (...ns: number[]) => ({
    lines: ns.map((n) => ({ item_id: items[n]?.id, quantity: n + 1 })),
  });
  credentials['fred by password'] = [basic('fred', PASSWORD)];
  await post('fred by password', '/users/me/orders', order(1));
  const orders = [];
  for (const ns of [[0], [1, 2], [3], [4]])
    orders.push(await postOnce('mary by password', '/users/me/orders', order(...ns)));
  for (const [n, ...states] of [
    ['1', 'confirmed', 'shipped'],
    ['2', 'cancelled'],
    ['3', 'confirmed'],
  ]) {
    for (const to of states) {
      await post('admin', `/users/${mary.id}/orders/${orders[Number(n)]?.id}/transitions`, { to });
    }
  }

  // Credentials.
  const login = { username: 'mary', password: PASSWORD };
  const session = await post('nobody', '/sessions', login);
  credentials['mary by session'] = bearer(session.access_token);
  const second = await post('nobody', '/sessions', { ...login, scope: 'items:read' });
  credentials['mary by narrow session'] = bearer(second.access_token);
  const keys: Record<string, Json> = {
    'key of nobody': await postOnce('admin', '/api-keys', { name: 'shop', scopes: ['items:read', 'items:write'] }),
    'key of mary': await post('mary by session', '/api-keys', { name: 'mine', scopes: ['items:read', 'orders:read'] }),
    'key of a page': await post('mary by session', '/api-keys', {
      name: 'page',
      scopes: ['items:read'],
      allowed_origins: ['https://page.example'],
      rate_limit: { requests: 300, seconds: 60 },
      expires_at: new Date(Date.now() + 9e8).toISOString(),
    }),
    'rotated key': await post('admin', '/api-keys', { name: 'rotated', scopes: ['items:read'] }),
  };
  keys['key after its rotation'] = await post('admin', `/api-keys/${keys['rotated key']?.id}/rotations`, {});
  const scopes = ['items:read', 'items:write', 'orders:read', 'keys:manage'];
  const grant_types = ['authorization_code', 'refresh_token', 'client_credentials'];
  const shop = await post('admin', '/clients', { name: 'Shop', redirect_uris: [CALLBACK], scopes, grant_types });
  const { client_secret: newSecret } = await post('admin', `/clients/${shop.id}/rotations`, {});
  const app = await post('admin', '/clients', {
    name: 'App',
    redirect_uris: [CALLBACK],
    scopes,
    token_endpoint_auth_method: 'none',
  });
  const secret = basic(shop.client_id, shop.client_secret);
  const own = await form('/oauth/token', { grant_type: 'client_credentials', scope: 'items:read' }, secret);
  credentials['shop itself'] = bearer(own.access_token);
  const exchange = { grant_type: 'authorization_code', redirect_uri: CALLBACK, code_verifier: VERIFIER };
  const byShop = await form('/oauth/token', { ...exchange, code: await newCode(baseUrl, shop) }, secret);
  credentials['shop for mary'] = bearer(byShop.access_token);
  const byApp = await form('/oauth/token', {
    ...exchange,
    code: await newCode(baseUrl, app),
    client_id: app.client_id,
  });
  credentials['app for mary'] = bearer(byApp.access_token);
  keys['key of an application'] = await post('shop for mary', '/api-keys', { name: 'by shop', scopes: ['items:read'] });
  for (const [name, { key }] of Object.entries(keys)) credentials[name] = [['X-API-Key', key]];
  const webhook = await post('admin', '/webhooks', { url: UNREACHABLE, events: ['item.*', 'order.created'] });
  const rotated = await post('admin', `/webhooks/${webhook.id}/rotations`, { grace_seconds: 604800 });
  await post('admin', '/webhooks', { url: `${UNREACHABLE}/off`, events: ['*'], disabled: true });

  // Read first pages, then write. The remaining pages must not show these writes.
  const walks = [];
  for (const [name = '', target = '', list = ''] of WALKS) {
    const first = ok(await as(name).get(target));
    walks.push({ as: name, target, list, cursor: first.next_cursor, after: first.after });
  }
  await as('admin').put(`/items/${items[7]?.id}`, { name: 'Changed', color: 'green', price: 0.5 });
  await as('admin').put(`/items/${items[6]?.id}`, { name: 'Item 0', color: 'red', price: 3 });
  await as('admin').delete(`/items/${items[5]?.id}`);
  await as('admin').delete(`/users/${former.id}`);
  await post('admin', '/items', { name: 'Item 3b', color: 'red', price: 5 });
  for (const walk of walks) {
    const { rest, after } = await followed(as(walk.as), walk.target, walk.list, walk.cursor);
    Object.assign(walk, { rest, end: after });
    if (walk.after === undefined) continue;
    const since = ok(await as(walk.as).get(`${walk.target.replace(/limit=\d+/, 'limit=100')}&after=${walk.after}`));
    Object.assign(walk, { since: since[walk.list].map(({ id }: Json) => id) });
  }

  const pending = await untilPending(as('admin'), webhook.id);
  const code = await newCode(baseUrl, app);

  const reads: Json[] = [];
  const read = async (name: string, target: string) => {
    reads.push({ as: name, method: 'GET', target, ...shown(await as(name).get(target)) });
  };
  for (const name of Object.keys(credentials)) await read(name, '/items?per_page=2&sort=name');
  for (const { id } of items) await read('admin', `/items/${id}`);
  for (const { id } of orders) {
    await read('mary by session', `/users/${mary.id}/orders/${id}`);
    await read('admin', `/users/${mary.id}/orders/${id}/transitions`);
  }
  for (const path of ['users', 'orders', 'api-keys', 'clients', 'webhooks']) await read('admin', `/${path}`);
  await read('mary by session', '/users/me');
  await read('mary by session', '/users/me/grants');
  await read('mary by session', '/users/me/orders');
  await read('admin', `/users/${former.id}/orders`);
  await read('admin', `/webhooks/${webhook.id}`);
  return {
    made_at: Date.now(),
    env: ENV,
    credentials,
    reads,
    walks,
    repeated,
    refreshes: [
      { refresh_token: session.refresh_token, client_id: 'first-party' },
      { refresh_token: byApp.refresh_token, client_id: app.client_id },
      { refresh_token: byShop.refresh_token, client_id: shop.client_id, client_secret: newSecret },
    ],
    code: { ...exchange, code, client_id: app.client_id },
    webhook: { id: webhook.id, secrets: [rotated.secret, webhook.secret], pending },
  };
}

function basic(user: string, password: string): Header {
  return ['Authorization', `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`];
}

function ok(answer: Answer): Json {
  if (answer.status > 299) throw new Error(`${answer.status}: ${answer.text}`);
  return answer.json() as Json;
}

function shown(answer: Answer) {
  return { status: answer.status, etag: answer.header('etag'), body: answer.json() };
}

async function followed(client: HttpClient, target: string, list: string, cursor: string | undefined) {
  const rest = [];
  let after;
  for (let next = cursor; next !== undefined;) {
    const page = ok(await client.get(`${target}&cursor=${next}`));
    rest.push(...page[list]);
    ({ next_cursor: next, after } = page);
  }
  return { rest, after };
}

/** Obtains an authorization code with the consent of mary. */
async function newCode(baseUrl: string, client: Json) {
  const browser = new Browser(baseUrl);
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: CALLBACK,
    scope: 'items:read orders:read keys:manage',
    state: 'xyz',
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const login = await browser.get(`/oauth/authorize?${query}`);
  let page = await browser.submit(login, { username: 'mary', password: PASSWORD });
  if (page.left === undefined) page = await browser.submit(page, { decision: 'allow' });
  const code = page.left?.searchParams.get('code');
  if (code === undefined || code === null) throw new Error(page.text);
  return code;
}

async function untilPending(admin: HttpClient, id: string): Promise<Json[]> {
  for (let n = 0; n < 100; n += 1) {
    const { deliveries } = ok(await admin.get(`/webhooks/${id}/deliveries`));
    const tried = deliveries.filter(({ attempts }: Json) => attempts.length > 0);
    if (tried.length > 0) return tried.map(({ id, event_id }: Json) => ({ id, event_id }));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('No delivery was attempted.');
}
