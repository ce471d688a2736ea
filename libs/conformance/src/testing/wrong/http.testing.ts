import { type Answer, type Handler, type Item, type Request } from '../right-service.testing.js';

/** A fault in the use of HTTP, and the check that must fail. */
export interface WrongHttp {
  readonly fails: string;
  readonly what: string;
  readonly step: (request: Request, right: Handler, items: Map<string, Item>) => Answer;
}

type Headers = Record<string, string | undefined>;

const headers =
  (change: (headers: Record<string, string>, answer: Answer, request: Request) => Headers): WrongHttp['step'] =>
  (request, right) => {
    const answer = right(request);
    const all = change({ ...answer.headers }, answer, request);
    const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return { ...answer, headers: Object.fromEntries(given) };
  };
const without = (name: string): WrongHttp['step'] => headers((all) => ({ ...all, [name]: undefined }));
const onStatus = (status: number, name: string, value: string): WrongHttp['step'] =>
  headers((all, answer) => (answer.status === status ? { ...all, [name]: value } : all));
const dropping =
  (name: string, methods: readonly string[]): WrongHttp['step'] =>
  (request, right) =>
    right(
      methods.includes(request.method) ? { ...request, headers: { ...request.headers, [name]: undefined } } : request,
    );

export const wrongHttp: readonly WrongHttp[] = [
  { fails: 'http.405.allow', what: 'sends no Allow', step: without('Allow') },
  { fails: 'http.405.allow', what: 'allows what it refuses', step: onStatus(405, 'Allow', 'GET, HEAD, POST, PATCH') },
  { fails: 'http.405.allow', what: 'does not list GET', step: onStatus(405, 'Allow', 'POST') },
  { fails: 'http.401.challenge', what: 'sends no challenge', step: without('WWW-Authenticate') },
  { fails: 'http.401.challenge', what: 'sends an empty challenge', step: onStatus(401, 'WWW-Authenticate', '') },
  {
    fails: 'http.401.challenge',
    what: 'challenges only those without a credential',
    step: headers((all, _, request) =>
      request.headers['x-api-key'] ? { ...all, 'WWW-Authenticate': undefined } : all,
    ),
  },
  { fails: 'http.201.location', what: 'sends no Location', step: without('Location') },
  { fails: 'http.201.location', what: 'locates the collection', step: onStatus(201, 'Location', '/items') },
  { fails: 'http.201.location', what: 'locates nothing', step: onStatus(201, 'Location', '/items/0') },
  {
    fails: 'http.201.location',
    what: 'locates another host',
    step: onStatus(201, 'Location', 'http://items.invalid/1'),
  },
  {
    fails: 'http.head',
    what: 'does not support HEAD',
    step: (request, right) => (request.method === 'HEAD' ? { status: 405, headers: { Allow: 'GET' } } : right(request)),
  },
  {
    fails: 'http.head',
    what: 'returns 200 for each HEAD',
    step: (request, right) => (request.method === 'HEAD' ? { ...right(request), status: 200 } : right(request)),
  },
  {
    fails: 'http.head',
    what: 'sends no ETag with HEAD',
    step: headers((all, _, { method }) => (method === 'HEAD' ? { ...all, ETag: undefined } : all)),
  },
  {
    fails: 'http.head',
    what: 'returns 500 for HEAD',
    step: (request, right) => (request.method === 'HEAD' ? { status: 500 } : right(request)),
  },
  {
    fails: 'http.415',
    what: 'accepts any content type',
    step: (request, right) =>
      right({ ...request, headers: { ...request.headers, 'content-type': 'application/json' } }),
  },
  {
    fails: 'http.415',
    what: 'returns 400 for another content type',
    step: (request: Request, right: Handler): Answer => {
      const answer = right(request);
      return answer.status === 415 ? { ...answer, status: 400 } : answer;
    },
  },
  {
    fails: 'http.etag.strong',
    what: 'sends weak ETags',
    step: headers((all) => (all['ETag'] === undefined ? all : { ...all, ETag: `W/${all['ETag']}` })),
  },
  {
    fails: 'http.etag.strong',
    what: 'sends ETags without quotes',
    step: headers((all) => (all['ETag'] === undefined ? all : { ...all, ETag: all['ETag'].replaceAll('"', '') })),
  },
  {
    fails: 'http.etag.changes',
    what: 'sends the same ETag for all items',
    step: headers((all) => (all['ETag'] === undefined ? all : { ...all, ETag: '"1"' })),
  },
  { fails: 'http.etag.changes', what: 'sends another ETag each time', step: changingEtag() },
  { fails: 'http.if-match.put', what: 'ignores If-Match when it replaces', step: dropping('if-match', ['PUT']) },
  { fails: 'http.if-match.delete', what: 'ignores If-Match when it deletes', step: dropping('if-match', ['DELETE']) },
  {
    fails: 'http.if-match.put',
    what: 'returns 412 after the write',
    step: (request: Request, right: Handler): Answer => {
      const answer = right(request);
      if (answer.status !== 412 || request.method !== 'PUT') return answer;
      right({ ...request, headers: { ...request.headers, 'if-match': undefined } });
      return answer;
    },
  },
  {
    fails: 'http.if-match.put',
    what: 'returns 409 for a failed If-Match',
    step: (request: Request, right: Handler): Answer => {
      const answer = right(request);
      return answer.status === 412 ? { ...answer, status: 409 } : answer;
    },
  },
];

function changingEtag(): WrongHttp['step'] {
  let count = 0;
  return headers((all) => (all['ETag'] === undefined ? all : { ...all, ETag: `"${String((count += 1))}"` }));
}
