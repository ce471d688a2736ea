/**
 * A typical program with the types that openapi-typescript generates from /openapi.json.
 * `src/1-conventions/generated-clients.spec.ts` compiles it strictly, runs it and checks its output.
 */
import createClient from 'openapi-fetch';

import type { components, paths } from './schema.js';

const { BASE_URL = '', API_KEY = '', USERNAME = '', PASSWORD = '', RED = '', BLUE = '' } = process.env;

/** `color=red,blue`: openapi-fetch has one style for all lists. */
const querySerializer = { array: { style: 'form', explode: false } } as const;
const client = createClient<paths>({ baseUrl: BASE_URL, headers: { 'X-API-Key': API_KEY }, querySerializer });

type Item = components['schemas']['Item'];

async function create(name: string, color: string): Promise<Item> {
  const { data, error } = await client.POST('/items', {
    params: { header: { 'Idempotency-Key': `${name}-${color}` } },
    body: { name, color },
  });
  if (data === undefined) throw new Error(error.error);
  return data;
}

const items = [await create('Mug', RED), await create('Cup', BLUE), await create('Bowl', RED)];
const color = [RED, BLUE];

const offset = await client.GET('/items', { params: { query: { color, sort: ['-name', 'price'], per_page: 2 } } });
if (offset.data === undefined || !('total' in offset.data)) throw new Error('No page in offset style');
const page: components['schemas']['ItemOffsetPage'] = offset.data;

const walked: Item[] = [];
for (let cursor: string | undefined; ;) {
  const query = { color, limit: 1, ...(cursor !== undefined && { cursor }) };
  const { data } = await client.GET('/items', { params: { query } });
  if (data === undefined || !('limit' in data)) throw new Error('No page in cursor style');
  walked.push(...data.items);
  cursor = data.next_cursor;
  if (cursor === undefined) break;
}

const path = { id: items[0]?.id ?? '' };
const read = await client.GET('/items/{id}', { params: { path } });
const header = { 'If-Match': read.response.headers.get('etag') ?? '' };
const body = { name: 'Mug', price: 2.5 };
const replaced = await client.PUT('/items/{id}', { params: { path, header }, body });
const stale = await client.PUT('/items/{id}', { params: { path, header }, body });
const removed = await client.DELETE('/items/{id}', { params: { path } });
const gone = await client.GET('/items/{id}', { params: { path } });
// @ts-expect-error: a code that no error has.
if (gone.error?.code === 'nothing') throw new Error('There is no such code');

// @ts-expect-error: "name" is required.
const nameless = await client.POST('/items', { body: { color: RED } });
const details = nameless.error !== undefined && 'details' in nameless.error ? nameless.error.details : undefined;

const session = await client.POST('/sessions', { body: { username: USERNAME, password: PASSWORD } });
if (session.data === undefined) throw new Error(session.error.error);
const refreshed = await client.POST('/oauth/token', {
  headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'X-API-Key': null },
  body: { grant_type: 'refresh_token', client_id: 'first-party', refresh_token: session.data.refresh_token },
});
if (refreshed.data === undefined) throw new Error(refreshed.error.error);
const me = await client.GET('/users/{id}', {
  headers: { 'X-API-Key': null, Authorization: `Bearer ${refreshed.data.access_token}` },
  params: { path: { id: 'me' } },
});

const optional = await client.POST('/users', { body: { username: `${USERNAME}.2`, password: PASSWORD } });
const code: components['schemas']['ErrorCode'] | undefined = stale.error?.code;

console.log(
  JSON.stringify({
    page: page.items.map(({ name }) => name),
    total: page.total,
    walked: walked.map(({ name }) => name),
    price: replaced.data?.price,
    stale: code,
    removed: removed.response.status,
    gone: gone.error?.code,
    nameless: details?.map(({ field }) => field),
    me: me.data?.username,
    role: optional.data?.role,
  }),
);
