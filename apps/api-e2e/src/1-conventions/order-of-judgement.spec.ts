import type { HttpClient } from '@items/testing';

import { anonymous, clientWith, withKey } from '../harness/clients.js';
import { createItem } from '../harness/items.js';
import { expectStatus } from '../harness/reading.js';

/** A request that is valid until `spoil` adds a defect. */
interface Draft {
  method: string;
  path: string;
  query: string;
  client: HttpClient;
  headers: [string, string][];
  body: string;
}

interface Defect {
  readonly title: string;
  readonly status: number;
  readonly spoil: (draft: Draft) => void;
  /** The part of the request that has the defect. Two defects of the same part cannot be combined. */
  readonly part: string;
}

let readOnly: HttpClient;
let writer: HttpClient;
let id: string;

/** Sorted in the order in which the service checks for them. */
const DEFECTS: readonly Defect[] = [
  { title: 'bad encoding of the path', status: 400, part: 'path', spoil: (draft) => (draft.path = '/items/%ZZ') },
  { title: 'bad encoding of the query', status: 400, part: 'query', spoil: (draft) => (draft.query = '?a=%FF') },
  { title: 'unknown path', status: 404, part: 'path', spoil: (draft) => (draft.path = '/nothing') },
  { title: 'unsupported method', status: 405, part: 'method', spoil: (draft) => (draft.method = 'PATCH') },
  { title: 'credential in the URL', status: 400, part: 'query', spoil: (draft) => (draft.query = '?api_key=secret') },
  {
    title: 'two credentials',
    status: 400,
    part: 'second credential',
    spoil: (draft) => draft.headers.push(['Authorization', 'Bearer x'], ['X-API-Key', 'y']),
  },
  { title: 'no credential', status: 401, part: 'credential', spoil: (draft) => (draft.client = anonymous) },
  {
    title: 'bad credential',
    status: 401,
    part: 'credential',
    spoil: (draft) => (draft.client = withKey('itk_unknown')),
  },
  { title: 'missing scope', status: 403, part: 'credential', spoil: (draft) => (draft.client = readOnly) },
  { title: 'unknown query parameter', status: 400, part: 'query', spoil: (draft) => (draft.query = '?unknown=1') },
  {
    title: 'malformed If-Match',
    status: 400,
    part: 'condition',
    spoil: (draft) => draft.headers.push(['If-Match', 'x']),
  },
  {
    title: 'If-Match given twice',
    status: 400,
    part: 'condition',
    spoil: (draft) => draft.headers.push(['If-Match', '*'], ['If-Match', '"a"']),
  },
  {
    title: 'malformed If-None-Match',
    status: 400,
    part: 'condition',
    spoil: (draft) => draft.headers.push(['If-None-Match', ', x']),
  },
  {
    title: 'body too large',
    status: 413,
    part: 'body',
    spoil: (draft) => (draft.body = `{"name":"${'x'.repeat(1_048_577)}"}`),
  },
  {
    title: 'another media type',
    status: 415,
    part: 'body',
    spoil: (draft) => (draft.headers = draft.headers.map(([name, value]) => [name, value.replace('json', 'xml')])),
  },
  { title: 'malformed body', status: 400, part: 'body', spoil: (draft) => (draft.body = '{"name":') },
  { title: 'invalid content', status: 422, part: 'body', spoil: (draft) => (draft.body = '{"name":""}') },
  {
    title: 'unknown id',
    status: 404,
    part: 'path',
    spoil: (draft) => (draft.path = '/items/01890000-0000-7000-8000-000000000000'),
  },
  {
    title: 'a condition that does not hold',
    status: 412,
    part: 'condition',
    spoil: (draft) => draft.headers.push(['If-Match', '"another"']),
  },
];

/** Groups of defects without an order: the service may report any of a group. */
const SAME_GROUP: readonly string[][] = [
  ['bad encoding of the path', 'bad encoding of the query'],
  ['credential in the URL', 'two credentials'],
  ['unknown query parameter', 'malformed If-Match', 'If-Match given twice', 'malformed If-None-Match'],
];

const PAIRS = DEFECTS.flatMap((first, i) => DEFECTS.slice(i + 1).map((second) => [first, second] as const)).filter(
  ([first, second]) =>
    first.part !== second.part &&
    !SAME_GROUP.some((group) => group.includes(first.title) && group.includes(second.title)),
);

async function judge(...defects: readonly Defect[]): Promise<number> {
  const draft: Draft = {
    method: 'PUT',
    path: `/items/${id}`,
    query: '',
    client: writer,
    headers: [['Content-Type', 'application/json']],
    body: '{"name":"Lamp"}',
  };
  for (const defect of defects) defect.spoil(draft);
  const { method, path, query, client, headers, body } = draft;
  const answer = await client.send(method, path + query, { headers, body });
  if (defects.length === 0) expectStatus(answer, 200);
  return answer.status;
}

describe('§1 Order of checks, the same for every route', () => {
  beforeAll(async () => {
    readOnly = await clientWith('items:read');
    writer = await clientWith('items:write');
    id = (await createItem()).id;
  });

  it('a request without a defect succeeds', async () => {
    expect(await judge()).toBe(200);
  });

  it.each(DEFECTS.map((defect) => [defect.title, defect.status, defect] as const))(
    '%s alone: %i',
    async (_title, status, defect) => {
      expect(await judge(defect)).toBe(status);
    },
  );

  it.each(PAIRS.map(([first, second]) => [first.title, second.title, first.status, first, second] as const))(
    '%s before %s: %i',
    async (_first, _second, status, first, second) => {
      expect(await judge(first, second)).toBe(status);
    },
  );
});

describe('§1 The head of a POST is checked before its body', () => {
  const KEYS: [string, ...[string, string][]][] = [
    ['a blank in Idempotency-Key', ['Idempotency-Key', 'a b']],
    ['an empty Idempotency-Key', ['Idempotency-Key', '']],
    ['an Idempotency-Key that is too long', ['Idempotency-Key', 'a'.repeat(256)]],
    ['Idempotency-Key given twice', ['Idempotency-Key', 'a'], ['Idempotency-Key', 'a']],
  ];
  const BODIES: [string, number, string, string][] = [
    ['invalid content', 422, 'application/json', '{}'],
    ['a malformed body', 400, 'application/json', '{'],
    ['another media type', 415, 'text/plain', '{}'],
    ['a body too large', 413, 'application/json', ' '.repeat(1_048_577)],
  ];
  const post = (path: string, type: string, body: string, ...headers: [string, string][]) =>
    writer.send('POST', path, { headers: [['Content-Type', type], ...headers], body });
  beforeAll(async () => {
    writer = await clientWith('items:write');
  });

  it.each(KEYS.flatMap(([key, ...headers]) => BODIES.map((body) => [key, ...body, headers] as const)))(
    '%s before %s (%i)',
    async (_key, _title, status, type, body, headers) => {
      expect((await post('/items', type, body)).status).toBe(status);
      const answer = await post('/items', type, body, ...headers);
      expect([answer.status, answer.json()]).toEqual([400, expect.objectContaining({ code: 'invalid_header' })]);
    },
  );

  it('an unknown path and an unsupported method are checked before the head', async () => {
    const key: [string, string] = ['Idempotency-Key', 'a b'];
    expect((await post('/nothing', 'application/json', '{}', key)).status).toBe(404);
    expect((await post('/health/live', 'application/json', '{}', key)).status).toBe(405);
  });
});
