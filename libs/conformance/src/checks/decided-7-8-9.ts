import { expectStatus, expectThat } from '../verdict.js';
import { fieldOf, fieldsOf, header, post } from '../service/exchange.js';
import { errorAnswers, ofErrors } from './error-answers.js';
import { decided, ofList } from './specified.js';

/** SPEC §7, §8, §9: contents of every response. */
export const decidedAnswers = decided([], {
  '7.code': ofErrors('`{"error": "<sentence for people>", "code": "<snake_case, stable>"}`.', async (answers) => {
    for (const answer of answers) {
      const code = fieldOf(answer, 'code');
      expectThat(typeof code === 'string' && /^[a-z]+(_[a-z\d]+)*$/.test(code), answer, 'a `code` in snake_case');
    }
  }),
  '7.details': {
    sentence: '`"details": [{"field", "code", "message"}]`, sorted by field.',
    needs: ['items.write'],
    run: async ({ service }) => {
      const answer = await service.send(post('/items', { price: -1, color: '', zzz: 1 }));
      const details = fieldOf(answer, 'details');
      const fields = (Array.isArray(details) ? details : []).map((one) => String(fieldsOf(one)['field']));
      const named = ['color', 'name', 'price', 'zzz'].every((field) => fields.includes(field));
      expectThat(named && fields.join() === [...fields].sort().join(), answer, 'details on color, name, price and zzz');
      for (const one of details as unknown[]) {
        const { code, message } = fieldsOf(one);
        expectThat(typeof code === 'string' && typeof message === 'string', answer, 'a code and a message in each');
      }
    },
  },
  '7.request-id': {
    sentence: 'Equal requests get equal bodies: the request id is in `X-Request-Id`.',
    run: async ({ service }) => {
      const answers = [await service.get('/items'), await service.get('/no-such-collection')];
      for (const answer of answers) expectThat(header(answer, 'x-request-id') !== undefined, answer, 'X-Request-Id');
    },
  },
  '7.encoding': {
    sentence: 'Errors outside controllers have the same form: invalid percent-encoding is 400.',
    run: async ({ service }) => {
      const answer = await service.get('/items/%zz');
      expectStatus(answer, 400);
      expectThat(typeof fieldOf(answer, 'error') === 'string', answer, 'a JSON object with an `error`');
    },
  },
  '8.headers.always': ofErrors(
    '`X-RateLimit-Limit`, `-Remaining`, `-Reset` on every response of a counted route, even on 401, 403 and 404.',
    async (answers, { service }) => {
      const counted = answers.filter(({ request }) => request.path.startsWith('/items'));
      for (const answer of [...counted, await service.get('/items')]) {
        const isMissing = (name: string): boolean => !/^\d+$/.test(header(answer, `x-ratelimit-${name}`) ?? '');
        const missing = ['limit', 'remaining', 'reset'].filter(isMissing);
        expectThat(missing.length === 0, answer, 'three numbers', `no X-RateLimit-${missing.join(', -')}`);
      }
    },
  ),
  '8.headers.reset-seconds': ofList(
    '`Retry-After` and `X-RateLimit-Reset` are whole delta seconds ≥ 1.',
    async (list) => {
      const reset = Number(header(list, 'x-ratelimit-reset'));
      expectThat(Number.isInteger(reset) && reset >= 1 && reset < 1e6, list, 'whole seconds', `${reset}`);
    },
  ),
  '8.headers.draft': ofList(
    'Responses also have `RateLimit` and `RateLimit-Policy` of the IETF draft.',
    async (list) => {
      const hasBoth = header(list, 'ratelimit') !== undefined && header(list, 'ratelimit-policy') !== undefined;
      expectThat(hasBoth, list, 'RateLimit and RateLimit-Policy');
    },
  ),
  '8.headers.remaining-counts': {
    sentence: 'Quota per credential: `X-RateLimit-Remaining` decreases with each request.',
    run: async ({ service }) => {
      for (let attempt = 1; ; attempt++) {
        const before = Number(header(await service.get('/items'), 'x-ratelimit-remaining'));
        const answer = await service.get('/items');
        const after = Number(header(answer, 'x-ratelimit-remaining'));
        if (after < before) return;
        // Try three times, because a new window may begin between two requests.
        expectThat(attempt < 3, answer, `X-RateLimit-Remaining below ${before}`, String(after));
      }
    },
  },
  '9.version.echoed': ofList(
    '`Api-Version: YYYY-MM-DD` is echoed on every response; by default, the current version.',
    async (list, context) => {
      for (const answer of [list, ...(await errorAnswers(context))]) {
        expectThat(/^\d{4}-\d\d-\d\d$/.test(header(answer, 'api-version') ?? ''), answer, 'Api-Version: YYYY-MM-DD');
      }
    },
  ),
  '9.version.unknown': ofList(
    'An unknown version is 400, and the error lists the supported versions.',
    async (list, { service }) => {
      const current = header(list, 'api-version') ?? ' ';
      const answer = await service.get('/items', { headers: { 'Api-Version': '1999-01-01' } });
      expectThat(answer.status === 400 && answer.text.includes(current), answer, `400 that lists ${current}`);
    },
  ),
});
