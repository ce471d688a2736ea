import { type Check, type CheckContext } from '../check.js';
import { expectThat, Unmet } from '../verdict.js';
import { header } from '../service/exchange.js';
import { errorBody, isPage, ofErrors, wrongRequests } from './error-answers.js';
import { answers, specified } from './specified.js';

const numbers = ['abc', '-1', '0', '1.5', '', '99999999999999999999'];

/** Queries that a service may accept or refuse, but must not answer with 5xx. */
const malformedQueries: readonly string[] = [
  ...numbers.map((number) => `page=${number}`),
  ...numbers.map((number) => `page=1&per_page=${number}`),
  ...numbers.map((number) => `limit=${number}`),
  ...['AAAA', '', '%00', '-1', '%F0%9F%98%80'].map((cursor) => `limit=2&cursor=${cursor}`),
  ...['no_such_field', '-', ''].map((sort) => `sort=${sort}`),
  ...['', '%27', '%00'].map((value) => `color=${value}`),
  ...['page=1&page=2', 'limit=1&limit=2', 'color=a&color=b', 'color[]=a', 'color[a]=b'],
];

/** An error body fails only the first violated sentence of §7 of the seed specification. */
export const section7: readonly Check[] = specified([], {
  '7.error.object': errorBody(
    'no error',
    'Error body: a JSON object with an `error` field.',
    'a JSON object with an `error` field',
  ),
  '7.error.message': errorBody(
    'no message',
    'The `error` field holds a human-readable message, for example one that names the missing field.',
    'an `error` that is a message for people',
  ),
  '7.body.no-number': errorBody('number', 'The body is never a bare number.', 'a JSON object'),
  '7.body.no-html': ofErrors('The body is never an HTML page.', async (answers, { service }) => {
    for (const answer of [...answers, await service.get('/items')]) {
      const isLabelled = (header(answer, 'content-type') ?? '').startsWith('text/html');
      expectThat(!isPage(answer), answer, 'JSON', isLabelled ? `${answer.status}, labelled text/html` : undefined);
    }
  }),
  '7.error.deterministic': {
    sentence: 'A given request must produce the same error each time (deterministic).',
    run: async (context) => {
      const { service } = context;
      const wrong = await wrongRequests(context);
      const first = [];
      for (const request of wrong) first.push(await service.send(request));
      // Wait longer than a second, to detect even a time that a body rounds to seconds.
      await service.sleep(1100);
      for (let round = 1; round <= 2; round++) {
        for (const before of first) {
          const again = await service.send(before.request);
          const same = again.status === before.status && again.text === before.text;
          if (!same && before.status >= 400)
            throw new Unmet(again, `the same as before: ${before.status} ${before.text.slice(0, 100)}`);
        }
      }
    },
  },
  '7.status.unknown-path': answers(404, '404 Not Found: no such resource.', { path: '/no-such-collection' }),
});

/** Runs last, because a crashed service cannot be judged further. */
export const section7Last: readonly Check[] = specified([], {
  '7.status.malformed-query': {
    sentence: 'The status code carries the class of error: a malformed query is no failure of the server (500).',
    run: async ({ service }) => {
      for (const query of malformedQueries) {
        const answer = await service.get(`/items?${query}`);
        expectThat(answer.status < 500, answer, '400, or another status below 500');
      }
    },
  },
  '7.response.sent': {
    sentence:
      'The status code carries the class of error: every request gets a response, and no connection is dropped.',
    run: async () => undefined,
    observed: dropped,
  },
});

function dropped({ service }: CheckContext): Unmet | undefined {
  const [first] = service.dropped;
  if (first === undefined) return undefined;
  const times = service.dropped.length;
  return new Unmet(first, 'a response', times === 1 ? first.text : `${first.text} (${times} requests)`);
}
