import { errors, instead, wrong, type Step, type WrongService } from './wrong-service.testing.js';

export const section7: readonly WrongService[] = [
  wrong(
    '7.error.object',
    'says message instead of error',
    errors(({ error }) => ({ body: { message: error } })),
  ),
  wrong(
    '7.error.object',
    'answers errors as a JSON text',
    errors(({ error }) => ({ body: error })),
  ),
  wrong(
    '7.error.message',
    'answers a code only',
    errors(() => ({ body: { error: 'not_possible' } })),
  ),
  wrong(
    '7.error.message',
    'answers an object as error',
    errors(({ error }) => ({ body: { error: { message: error } } })),
  ),
  wrong(
    '7.body.no-number',
    'answers the bare status',
    errors((_, status) => ({ body: status })),
  ),
  wrong(
    '7.body.no-html',
    'answers errors as pages',
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
    what: 'fails now and then',
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
];
