import { expectStatus, expectThat } from '../verdict.js';
import { fieldsOf, header } from '../service/exchange.js';
import { errorAnswers } from './error-answers.js';
import { decided } from './specified.js';

/** SPEC §7, §8, §9: contents of every response. */
export const decidedAnswers = decided([], {
  '7.code': {
    sentence: '`{"error": "<sentence for people>", "code": "<snake_case, stable>"}`.',
    run: async (context) => {
      for (const answer of await errorAnswers(context)) {
        const { code } = fieldsOf(answer.json);
        expectThat(typeof code === 'string' && /^[a-z]+(_[a-z\d]+)*$/.test(code), answer, 'a `code` in snake_case');
      }
    },
  },
  '7.details': {
    sentence: '`"details": [{"field", "code", "message"}]`, sorted by field.',
    needs: ['items.write'],
    run: async ({ service }) => {
      const body = { price: -1, color: '', zzz: 1 };
      const answer = await service.send({ method: 'POST', path: '/items', body });
      const { details } = fieldsOf(answer.json);
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
    sentence: 'Nothing in the body varies between two same requests: ids of requests go into `X-Request-Id`.',
    run: async ({ service }) => {
      const answers = [await service.get('/items'), await service.get('/no-such-collection')];
      for (const answer of answers) {
        expectThat(header(answer, 'x-request-id') !== undefined, answer, 'X-Request-Id');
      }
    },
  },
  '7.encoding': {
    sentence: 'This holds for what never reaches a controller too: bad percent-encoding is 400.',
    run: async ({ service }) => {
      const answer = await service.get('/items/%zz');
      expectStatus(answer, 400);
      expectThat(typeof fieldsOf(answer.json)['error'] === 'string', answer, 'a JSON object with an `error`');
    },
  },
  '8.headers.always': {
    sentence:
      '`X-RateLimit-Limit`, `-Remaining`, `-Reset` on every answer of a counted route, also on 401, 403 and 404.',
    run: async (context) => {
      const counted = (await errorAnswers(context)).filter(({ ask }) => ask.path.startsWith('/items'));
      for (const answer of [...counted, await context.service.get('/items')]) {
        const missing = ['limit', 'remaining', 'reset'].filter(
          (name) => !/^\d+$/.test(header(answer, `x-ratelimit-${name}`) ?? ''),
        );
        expectThat(missing.length === 0, answer, 'three numbers', `no X-RateLimit-${missing.join(', -')}`);
      }
    },
  },
  '8.headers.reset-seconds': {
    sentence: '`Retry-After` and `X-RateLimit-Reset` are whole delta seconds ≥ 1.',
    run: async ({ service }) => {
      const answer = await service.get('/items');
      const reset = Number(header(answer, 'x-ratelimit-reset'));
      expectThat(Number.isInteger(reset) && reset >= 1 && reset < 1e6, answer, 'whole seconds', `${reset}`);
    },
  },
  '8.headers.draft': {
    sentence: "The IETF draft's `RateLimit` and `RateLimit-Policy` beside them.",
    run: async ({ service }) => {
      const answer = await service.get('/items');
      const both = header(answer, 'ratelimit') !== undefined && header(answer, 'ratelimit-policy') !== undefined;
      expectThat(both, answer, 'RateLimit and RateLimit-Policy');
    },
  },
  '8.headers.remaining-counts': {
    sentence: 'Quota per credential: `X-RateLimit-Remaining` goes down by each request.',
    run: async ({ service }) => {
      for (let attempt = 1; ; attempt++) {
        const before = Number(header(await service.get('/items'), 'x-ratelimit-remaining'));
        const answer = await service.get('/items');
        const after = Number(header(answer, 'x-ratelimit-remaining'));
        // The window has ended, and the quota is full again.
        if (after < before) return;
        expectThat(attempt < 3, answer, `X-RateLimit-Remaining below ${before}`, String(after));
      }
    },
  },
  '9.version.echoed': {
    sentence: '`Api-Version: YYYY-MM-DD`, echoed on every answer; without it the current version.',
    run: async (context) => {
      const { service } = context;
      const answers = [await service.get('/items'), ...(await errorAnswers(context))];
      for (const answer of answers) {
        expectThat(/^\d{4}-\d\d-\d\d$/.test(header(answer, 'api-version') ?? ''), answer, 'Api-Version: YYYY-MM-DD');
      }
    },
  },
  '9.version.unknown': {
    sentence: 'An unknown one is 400 and lists the supported ones.',
    run: async ({ service }) => {
      const current = header(await service.get('/items'), 'api-version') ?? ' ';
      const answer = await service.get('/items', { headers: { 'Api-Version': '1999-01-01' } });
      expectThat(answer.status === 400 && answer.text.includes(current), answer, `400 that lists ${current}`);
    },
  },
});
