import { specified } from './specified.js';
import { expectThat, unmet } from '../expectations.js';
import { fieldsOf, header } from '../service/exchange.js';
import { NotApplicable } from '../verdict.js';
import { errorAnswers, wrongRequests } from './error-answers.js';

/** SPEC §7: errors. */
export const section7 = specified([
  {
    id: '7.error.object',
    sentence: 'Error body: a JSON object with an `error` field.',
    needs: [],
    run: async (context) => {
      for (const answer of await errorAnswers(context)) {
        expectThat('error' in fieldsOf(answer.json), answer, 'a JSON object with an `error` field');
      }
    },
  },
  {
    id: '7.error.message',
    sentence: 'The `error` field holds a human-readable message, for example one that names the missing field.',
    needs: [],
    run: async (context) => {
      const answers = (await errorAnswers(context)).filter(({ json }) => 'error' in fieldsOf(json));
      if (answers.length === 0) throw new NotApplicable('no answer has an `error` field');
      for (const answer of answers) {
        expectThat(isReadable(fieldsOf(answer.json)['error']), answer, 'an `error` that is a message for people');
      }
    },
  },
  {
    id: '7.body.no-number',
    sentence: 'The body is never a bare number.',
    needs: [],
    run: async (context) => {
      for (const answer of await errorAnswers(context)) {
        const bare = answer.text.replaceAll('"', '').trim();
        expectThat(bare === '' || Number.isNaN(Number(bare)), answer, 'a JSON object');
      }
    },
  },
  {
    id: '7.body.no-html',
    sentence: 'The body is never an HTML page.',
    needs: [],
    run: async (context) => {
      const answers = [...(await errorAnswers(context)), await context.service.get('/items')];
      for (const answer of answers) {
        const labelled = (header(answer, 'content-type') ?? '').startsWith('text/html');
        const page = answer.text.trimStart().startsWith('<') || (labelled && answer.text !== '');
        expectThat(!page, answer, 'JSON', labelled ? `${answer.status}, labelled text/html` : undefined);
      }
    },
  },
  {
    id: '7.error.deterministic',
    sentence: 'A given request must produce the same error each time (deterministic).',
    needs: [],
    run: async (context) => {
      const { service } = context;
      const wrong = await wrongRequests(context);
      const first = [];
      for (const { ask } of wrong) first.push(await service.send(ask));
      // Longer than the second that a time in a body might be rounded to.
      await service.sleep(1100);
      for (let round = 1; round <= 2; round++) {
        for (const before of first) {
          const again = await service.send(before.ask);
          const same = again.status === before.status && again.text === before.text;
          if (!same && before.status >= 400)
            throw unmet(again, `the same as before: ${before.status} ${before.text.slice(0, 100)}`);
        }
      }
    },
  },
  {
    id: '7.status.unknown-path',
    sentence: '404 Not Found: no such resource.',
    needs: [],
    run: async ({ service }) => {
      const answer = await service.get('/no-such-collection');
      expectThat(answer.status === 404, answer, '404');
    },
  },
]);

/** A sentence, or a word: letters, and no bare code or printed object. */
function isReadable(error: unknown): boolean {
  if (typeof error !== 'string' || !/\p{L}{2}/u.test(error)) return false;
  return !(/^\w+$/.test(error) && error.includes('_')) && !error.includes('[object Object]');
}
