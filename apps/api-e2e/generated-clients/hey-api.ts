/**
 * The same program as `openapi-fetch.ts`, for the client that @hey-api/openapi-ts generates from /openapi.json.
 * `src/1-conventions/generated-clients.spec.ts` compiles it strictly, runs it and checks its output.
 */
import { client } from './client/client.gen.js';
import {
  createItem,
  createSession,
  createUser,
  deleteItem,
  getItem,
  getUser,
  listItems,
  replaceItem,
  requestToken,
  type ErrorCode,
  type Item,
  type ItemOffsetPage,
} from './client/index.js';

const { BASE_URL = '', API_KEY = '', USERNAME = '', PASSWORD = '', RED = '', BLUE = '' } = process.env;

client.setConfig({ baseUrl: BASE_URL, auth: ({ name }) => (name === 'X-API-Key' ? API_KEY : undefined) });

async function create(name: string, color: string): Promise<Item> {
  const { data, error } = await createItem({
    headers: { 'Idempotency-Key': `${name}-${color}` },
    body: { name, color },
  });
  if (data === undefined) throw new Error(error.error);
  return data;
}

const items = [await create('Mug', RED), await create('Cup', BLUE), await create('Bowl', RED)];
const color = [RED, BLUE];

const offset = await listItems({ query: { color, sort: ['-name', 'price'], per_page: 2 } });
if (offset.data === undefined || !('total' in offset.data)) throw new Error('No page in offset style');
const page: ItemOffsetPage = offset.data;

const walked: Item[] = [];
for (let cursor: string | undefined; ;) {
  const { data } = await listItems({ query: { color, limit: 1, ...(cursor !== undefined && { cursor }) } });
  if (data === undefined || !('limit' in data)) throw new Error('No page in cursor style');
  walked.push(...data.items);
  cursor = data.next_cursor;
  if (cursor === undefined) break;
}

const path = { id: items[0]?.id ?? '' };
const read = await getItem({ path });
const headers = { 'If-Match': read.response?.headers.get('etag') ?? '' };
const body = { name: 'Mug', price: 2.5 };
const replaced = await replaceItem({ path, headers, body });
const stale = await replaceItem({ path, headers, body });
const removed = await deleteItem({ path });
const gone = await getItem({ path });
// @ts-expect-error: a code that no error has.
if (gone.error?.code === 'nothing') throw new Error('There is no such code');

// @ts-expect-error: "name" is required.
const nameless = await createItem({ body: { color: RED } });
const details = nameless.error !== undefined && 'details' in nameless.error ? nameless.error.details : undefined;

const session = await createSession({ body: { username: USERNAME, password: PASSWORD } });
if (session.data === undefined) throw new Error(session.error.error);
const refreshed = await requestToken({
  body: { grant_type: 'refresh_token', client_id: 'first-party', refresh_token: session.data.refresh_token },
});
if (refreshed.data === undefined) throw new Error(refreshed.error.error);
const token = refreshed.data.access_token;
const me = await getUser({ path: { id: 'me' }, auth: ({ scheme }) => (scheme === 'bearer' ? token : undefined) });

const optional = await createUser({ body: { username: `${USERNAME}.2`, password: PASSWORD } });
const code: ErrorCode | undefined = stale.error?.code;

console.log(
  JSON.stringify({
    page: page.items.map(({ name }) => name),
    total: page.total,
    walked: walked.map(({ name }) => name),
    price: replaced.data?.price,
    stale: code,
    removed: removed.response?.status,
    gone: gone.error?.code,
    nameless: details?.map(({ field }) => field),
    me: me.data?.username,
    role: optional.data?.role,
  }),
);
