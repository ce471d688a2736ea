import { type Answer, type Request } from '../right-service.testing.js';
import { errors, instead, isList, stranger, wrong, type Step, type WrongService } from './wrong-service.testing.js';

/** Changes the body of one status only. */
const bodyOf = (status: number, fails: string, what: string, change: Partial<Answer>): WrongService =>
  wrong(fails, `${what} with ${status}`, instead(status, change));

const hasQuery =
  (name: string, value: string) =>
  (request: Request): boolean =>
    isList(request) && !stranger(request) && request.query.get(name) === value;
const failsFor =
  (applies: (request: Request) => boolean, answer: Answer): Step =>
  (request, right) =>
    applies(request) ? answer : right(request);
const failure: Answer = { status: 500, body: { error: 'Something went wrong.' } };
const dropped: Answer = { status: 0, drops: 'connection' };
const crashed: Answer = { status: 0, drops: 'service' };

export const section7: readonly WrongService[] = [
  wrong(
    '7.error.object',
    'sends message instead of error',
    errors(({ error }) => ({ body: { message: error } })),
  ),
  wrong(
    '7.error.object',
    'sends errors as a JSON text',
    errors(({ error }) => ({ body: error })),
  ),
  wrong(
    '7.error.message',
    'sends only a code',
    errors(() => ({ body: { error: 'not_possible' } })),
  ),
  wrong(
    '7.error.message',
    'sends an object as error',
    errors(({ error }) => ({ body: { error: { message: error } } })),
  ),
  wrong(
    '7.body.no-number',
    'sends the bare status',
    errors((_, status) => ({ body: status })),
  ),
  wrong(
    '7.body.no-html',
    'sends errors as pages',
    errors((_, status) => ({ text: `<!doctype html><h1>${status}</h1>` })),
  ),
  wrong(
    '7.body.no-html',
    'labels errors as pages',
    errors(() => ({ headers: { 'Content-Type': 'text/html' } })),
  ),
  {
    fails: '7.error.deterministic',
    what: 'numbers its errors',
    make: (): Step => {
      let count = 0;
      return errors((body) => ({ body: { ...body, request_id: ++count } }));
    },
  },
  {
    fails: '7.error.deterministic',
    what: 'returns another error every third time',
    make: (): Step => {
      let count = 0;
      return (request, right) => {
        const answer = right(request);
        return answer.status === 422 && ++count % 3 === 0 ? { ...answer, status: 400 } : answer;
      };
    },
  },
  wrong(
    '7.status.unknown-path',
    'answers an unknown path with 400',
    instead(404, { status: 400 }, ({ path }) => !path.startsWith('/items')),
  ),
  ...[400, 401, 403, 404, 405, 422].flatMap((status) => [
    bodyOf(status, '7.body.no-html', 'sends an HTML page', { text: '<html><body>Error</body></html>' }),
    bodyOf(status, '7.error.object', 'sends another field', { body: { message: 'The field name is wrong.' } }),
  ]),
  bodyOf(404, '1.json.errors', 'sends an empty body', { text: '' }),
  bodyOf(405, '1.json.errors', 'sends plain text', { text: 'Not allowed' }),
  bodyOf(422, '7.body.no-number', 'sends a number', { text: '422' }),
  bodyOf(401, '7.error.message', 'sends a code', { body: { error: 'no_key' } }),
  bodyOf(400, '7.error.message', 'sends a number as `error`', { body: { error: 400 } }),
  bodyOf(422, '7.error.message', 'sends a stack trace', {
    body: { error: 'Error: name\n    at create (/app/items.js:10:11)' },
  }),
  bodyOf(404, '7.error.message', 'sends null as `error`', { body: { error: null } }),
  ...[
    ['page', 'abc'],
    ['per_page', '-1'],
    ['limit', 'abc'],
    ['cursor', 'AAAA'],
    ['sort', 'no_such_field'],
    ['color', ''],
  ].map(([name = '', value = '']) =>
    wrong(
      '7.status.malformed-query',
      `returns 500 for ${name}=${value}`,
      failsFor((request) => request.query.has(name) && hasQuery(name, value)(request), failure),
    ),
  ),
  wrong('7.response.sent', 'closes the connection of page=abc', failsFor(hasQuery('page', 'abc'), dropped)),
  wrong('7.response.sent', 'closes the connection of limit=abc', failsFor(hasQuery('limit', 'abc'), dropped)),
  wrong('7.response.sent', 'crashes at page=abc', failsFor(hasQuery('page', 'abc'), crashed)),
  wrong('7.response.sent', 'crashes at an invented cursor', failsFor(hasQuery('cursor', 'AAAA'), crashed)),
  wrong('7.response.sent', 'closes the connection of malformed JSON', instead(400, dropped)),
  wrong('7.response.sent', 'closes the connection instead of a 404', instead(404, dropped)),
  wrong('7.response.sent', 'closes the connection of a create request without a name', instead(422, dropped)),
  wrong(
    '7.response.sent',
    'crashes at a name that is a number',
    failsFor(({ raw }) => raw.includes('"name":42'), crashed),
  ),
];
