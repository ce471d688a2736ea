import {
  stranger,
  bodyOf,
  errors,
  instead,
  isList,
  key,
  withKey,
  wrong,
  type WrongService,
} from './wrong-service.testing.js';

export const section1: readonly WrongService[] = [
  wrong(
    '1.json.answers',
    'responds to a replacement in plain text',
    instead(200, { text: 'done' }, ({ method }) => method === 'PUT'),
  ),
  wrong(
    '1.json.errors',
    'sends errors in plain text',
    errors((body) => ({ text: String(body['error']) })),
  ),
  {
    fails: '1.self-contained.credentials',
    what: 'remembers the credential of a connection',
    make: () => {
      const known = new WeakSet();
      return (request, right) => {
        if (!stranger(request)) known.add(request.connection);
        return right(known.has(request.connection) && stranger(request) ? withKey(request, key) : request);
      };
    },
  },
  {
    fails: '1.self-contained.credentials',
    what: 'accepts a cookie instead of the credential',
    make: () => (request, right) => {
      const known = request.headers['cookie'] === 'session=1';
      return { ...right(known ? withKey(request, key) : request), headers: { 'Set-Cookie': 'session=1; HttpOnly' } };
    },
  },
  {
    fails: '1.self-contained.lists',
    what: 'returns another list to every second request',
    make: () => {
      let lists = 0;
      return (request, right) => {
        const answer = right(request);
        const body = bodyOf(answer);
        if (!isList(request) || answer.status !== 200 || lists++ % 2 === 0) return answer;
        return { ...answer, body: { ...body, items: (body['items'] as []).slice(1) } };
      };
    },
  },
  {
    fails: '1.self-contained.cursors',
    what: 'accepts a cursor only once',
    make: () => {
      const used = new Set<string>();
      return (request, right) => {
        const cursor = request.query.get('cursor');
        if (cursor === null) return right(request);
        if (used.has(cursor)) return { status: 400, body: { error: 'This cursor was used before.' } };
        used.add(cursor);
        return right(request);
      };
    },
  },
  {
    fails: '1.self-contained.no-cookie',
    what: 'requires the cookie of its first response',
    make: () => {
      let begun = false;
      return (request, right) => {
        if (begun && request.headers['cookie'] !== 'session=1') return { status: 401, body: { error: 'No session.' } };
        begun = true;
        return { ...right(request), headers: { 'Set-Cookie': 'session=1; HttpOnly' } };
      };
    },
  },
];
