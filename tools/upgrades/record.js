import { createHash, randomBytes } from 'node:crypto';

import { Browser, HttpClient } from '@items/testing';

/** @typedef {import('@items/testing').Answer} Answer */
/** @typedef {import('@items/testing').Header} Header */
/** @typedef {Record<string, any>} Json */

/** Environment of the recorded service, and of the later version that opens its database. */
export const ENV = {
  ADMIN_API_KEY: 'a'.repeat(32),
  BASE_URL: 'http://localhost:3000',
  WEBHOOK_ALLOW: '127.0.0.0/8',
};
const PASSWORD = 'correct horse battery';
const CALLBACK = 'https://shop.example/callback';
const VERIFIER = randomBytes(32).toString('base64url');
/** No server listens there, so that deliveries stay pending. */
const UNREACHABLE = 'http://127.0.0.1:9';

/** Lists whose first page is recorded. A later version must return the rest of the walk. */
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
 * Fills a service with data of all kinds.
 * @param {string} baseUrl
 * @returns {Promise<Json>} credentials and cursors that it issued, and the expected responses to them.
 */
export async function record(baseUrl) {
  /** @type {Record<string, Header[]>} */
  const credentials = { admin: [['X-API-Key', ENV.ADMIN_API_KEY]], 'mary by password': [basic('mary', PASSWORD)] };
  /** @param {string} name */
  const as = (name) => new HttpClient({ baseUrl, headers: credentials[name] ?? [] });
  /** @param {string} name @param {string} target @param {Json} body @param {Header[]} headers @returns {Promise<Json>} */
  const post = async (name, target, body, ...headers) => ok(await as(name).post(target, body, ...headers));
  /** @param {string} path @param {Record<string, string>} fields @param {Header[]} headers @returns {Promise<Json>} */
  const form = async (path, fields, ...headers) => {
    const body = new URLSearchParams(fields).toString();
    const type = /** @type {Header} */ (['Content-Type', 'application/x-www-form-urlencoded']);
    return ok(await as('nobody').send('POST', path, { headers: [type, ...headers], body }));
  };
  /** @param {string} token @returns {Header[]} */
  const bearer = (token) => [['Authorization', `Bearer ${token}`]];
  /** @type {Json[]} */
  const repeated = [];
  /** @param {string} name @param {string} target @param {Json} json */
  const postOnce = async (name, target, json) => {
    const headers = /** @type {Header[]} */ ([['Idempotency-Key', `once-${repeated.length}`]]);
    const made = await post(name, target, json, ...headers);
    const again = await as(name).post(target, json, ...headers);
    repeated.push({ as: name, method: 'POST', target, headers, json, ...shown(again) });
    return made;
  };

  // Users, items and orders.
  const mary = await post('admin', '/users', { username: 'mary', password: PASSWORD, role: 'member', name: 'Mary' });
  await post('admin', '/users', { username: 'vera', password: PASSWORD });
  await post('admin', '/users', { username: 'rita', password: PASSWORD, role: 'admin', email: 'rita@example.com' });
  const former = await post('admin', '/users', { username: 'fred', password: PASSWORD, role: 'member' });
  const off = await post('admin', '/users', { username: 'otto', password: PASSWORD, role: 'member' });
  await as('admin').put(`/users/${off.id}`, { username: 'otto', disabled: true });
  /** @type {Json[]} */
  const items = [];
  for (let n = 1; n <= 9; n += 1) {
    const color = [null, 'red', 'blue'][n % 3];
    items.push(await postOnce('admin', '/items', { name: `Item ${n}`, color, price: n === 9 ? null : n + 0.25 }));
  }
  const order = (/** @type {number[]} */ ...ns) => ({
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
  /** @type {Record<string, Json>} */
  const keys = {
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

  // First pages, and later writes, which the rest of each walk must not show.
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
    Object.assign(walk, { since: since[walk.list].map((/** @type {Json} */ { id }) => id) });
  }

  const pending = await untilPending(as('admin'), webhook.id);
  const code = await newCode(baseUrl, app);

  /** @type {Json[]} */
  const reads = [];
  const read = async (/** @type {string} */ name, /** @type {string} */ target) => {
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

/** @param {string} user @param {string} password @returns {Header} */
function basic(user, password) {
  return ['Authorization', `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`];
}

/** @param {Answer} answer @returns {Json} */
function ok(answer) {
  if (answer.status > 299) throw new Error(`${answer.status}: ${answer.text}`);
  return /** @type {Json} */ (answer.json());
}

/** @param {Answer} answer */
function shown(answer) {
  return { status: answer.status, etag: answer.header('etag'), body: answer.json() };
}

/** @param {HttpClient} client @param {string} target @param {string} list @param {string | undefined} cursor */
async function followed(client, target, list, cursor) {
  const rest = [];
  let after;
  for (let next = cursor; next !== undefined;) {
    const page = ok(await client.get(`${target}&cursor=${next}`));
    rest.push(...page[list]);
    ({ next_cursor: next, after } = page);
  }
  return { rest, after };
}

/** Obtains an authorization code with the consent of mary. @param {string} baseUrl @param {Json} client */
async function newCode(baseUrl, client) {
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

/**
 * Waits until deliveries have failed attempts.
 * @param {HttpClient} admin
 * @param {string} id
 * @returns {Promise<Json[]>}
 */
async function untilPending(admin, id) {
  for (let n = 0; n < 100; n += 1) {
    const { deliveries } = ok(await admin.get(`/webhooks/${id}/deliveries`));
    const tried = deliveries.filter((/** @type {Json} */ { attempts }) => attempts.length > 0);
    if (tried.length > 0) return tried.map((/** @type {Json} */ { id, event_id }) => ({ id, event_id }));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('No delivery was attempted.');
}
