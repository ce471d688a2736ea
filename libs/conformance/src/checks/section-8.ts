import { about, type Draft, specified } from './specified.js';
import { type CheckContext } from '../check.js';
import { expectThat, NotApplicable, Unmet } from '../verdict.js';
import { idsOf, nextCursor, rowsOf } from '../pages/walk.js';
import { type Exchange, fieldOf, header } from '../service/exchange.js';
import { secondsUntil } from '../service/quota.js';

/** Assumed limits of the default page size. 250 is tried only if 100 fails. */
const largestDefaultPages: readonly number[] = [100, 250];
/** Minimum quota that the creation of rows leaves for the rest of the run. */
const REQUESTS_LEFT = 20;

const ofRefusals = about([], async ({ service }) => exceeded(service.quotaResponses));

/** Runs late, because these checks judge the quota in all earlier responses. Seed specification §8 */
export const section8 = specified([], {
  '8.paging.asked': {
    sentence: 'Lists are returned in pages and never all at once: a page holds what was asked for.',
    needs: ['items.write'],
    run: async ({ service, items, found }) => {
      const { per_page: perPage, limit } = service.translation.naming.query;
      const isNamed = perPage !== 'per_page' || limit !== 'limit';
      if (!found.has('envelope') && !found.has('offset') && !found.has('cursor') && !isNamed) {
        throw new NotApplicable('the parameters of its pages are not known (--query)');
      }
      await items.createMany(3);
      const pages = [await service.get('/items?page=1&per_page=2'), await service.get('/items?limit=2')];
      const served = pages.filter(({ status }) => status === 200);
      const [whole] = served;
      if (whole === undefined) throw new NotApplicable('neither paging style is answered');
      const hasPage = served.some((page) => rowsOf(page).length <= 2);
      expectThat(hasPage, whole, '2 items', `${rowsOf(whole).length} items`);
    },
  },
  '8.paging.default': {
    sentence: 'Lists are returned in pages and never all at once.',
    needs: ['items.write'],
    run: async (context) => {
      for (const largest of largestDefaultPages) {
        const list = await context.service.get('/items');
        const perPage = Number(fieldOf(list, 'per_page') ?? largest);
        if (leadsOn(list)) return;
        const missing = Math.min(perPage, largest) + 1 - rowsOf(list).length;
        if (missing + REQUESTS_LEFT > requestsLeft(context.service.quotaResponses)) {
          throw new NotApplicable('it would use up the quota');
        }
        await createInParallel(context, missing);
        const longer = await context.service.get('/items');
        // The whole list is shorter than the stated page size and needs no second page.
        const hasRoom = Number(fieldOf(longer, 'per_page')) > rowsOf(longer).length;
        const all = idsOf(longer);
        // Other rows on page 2 prove that the service has pages, even if its total is wrong.
        const beyond = idsOf(await context.service.get('/items?page=2')).some((id) => !all.includes(id));
        // The response lacks some rows, so the list has pages, although the response names no next page.
        const isCut = rowsOf(longer).length <= Math.min(perPage, largest);
        if (leadsOn(longer) || hasRoom || beyond || isCut) return;
        const actual = `all ${rowsOf(longer).length} items on one page`;
        if (largest === largestDefaultPages.at(-1))
          throw new Unmet(longer, 'a page, and a link or cursor to the next one', actual);
      }
    },
  },
  '8.quota.status': {
    sentence: 'When the quota is exceeded, the response is 429.',
    run: async ({ service }) => {
      const [other] = service.quotaByOtherStatus;
      if (other) expectThat(false, other, '429, since X-RateLimit-Remaining is 0');
      exceeded(service.quotaResponses);
    },
  },
  '8.quota.error': ofRefusals(
    '429 Too Many Requests: its body is a JSON object with a human-readable `error`, too.',
    async (refusals) => {
      for (const answer of refusals) {
        expectThat(typeof fieldOf(answer, 'error') === 'string', answer, 'a JSON object with an `error` message');
      }
    },
  ),
  '8.retry-after': ofRefusals('`Retry-After` tells the client when to return.', async (refusals) => {
    for (const answer of carrying(refusals, 'Retry-After', 'a 429 carries no')) expectTime(answer, 'retry-after');
  }),
  '8.remaining.exhausted': ofRefusals('`X-RateLimit-Remaining`: requests left; 0 when exhausted.', async (refusals) => {
    for (const answer of carrying(refusals, 'X-RateLimit-Remaining', 'a 429 carries no')) {
      const value = header(answer, 'x-ratelimit-remaining') ?? '';
      expectThat(Number(value) === 0, answer, 'X-RateLimit-Remaining: 0', `X-RateLimit-Remaining: ${value}`);
    }
  }),
  '8.headers.limit': countInHeader('limit', '`X-RateLimit-Limit`: the quota.'),
  '8.headers.remaining': countInHeader('remaining', '`X-RateLimit-Remaining`: requests left.'),
  '8.headers.reset': {
    sentence: '`X-RateLimit-Reset`: when the quota resets.',
    run: async ({ service }) => {
      for (const answer of carrying(service.quotaResponses, 'x-ratelimit-reset'))
        expectTime(answer, 'x-ratelimit-reset');
    },
  },
});

function countInHeader(name: string, sentence: string): Draft {
  return {
    sentence,
    run: async ({ service }) => {
      for (const answer of carrying(service.quotaResponses, `x-ratelimit-${name}`)) {
        const value = header(answer, `x-ratelimit-${name}`) ?? '';
        const limit = Number(header(answer, 'x-ratelimit-limit') ?? Infinity);
        // The window or other quotas may follow the number, as in `100;w=60`.
        const count = Number(value.split(/[,;]/)[0]);
        const holds = Number.isInteger(count) && count >= 0 && (Number.isNaN(limit) || count <= limit);
        expectThat(holds, answer, `a number of requests in X-RateLimit-${name}`, `${value} of ${limit}`);
      }
    },
  };
}

function leadsOn(list: Exchange): boolean {
  const total = fieldOf(list, 'total');
  return nextCursor(list) !== undefined || (total !== undefined && Number(total) > rowsOf(list).length);
}

/** Returns the remaining quota that the latest response states; 0 after a 429. */
function requestsLeft(answers: readonly Exchange[]): number {
  if (answers.some(({ status }) => status === 429)) return 0;
  const told = answers
    .map((answer) => header(answer, 'x-ratelimit-remaining'))
    .findLast((value) => value !== undefined);
  return told === undefined ? Infinity : Number.parseInt(told, 10) || 0;
}

async function createInParallel({ items }: CheckContext, count: number): Promise<void> {
  for (let left = count; left > 0; left -= 10) {
    await Promise.all(Array.from({ length: Math.min(10, left) }, () => items.create()));
  }
}

function exceeded(answers: readonly Exchange[]): Exchange[] {
  const refused = answers.filter(({ status }) => status === 429);
  if (refused.length === 0) throw new NotApplicable('the quota, if there is one, was not exceeded by this run');
  return refused;
}

function carrying(answers: readonly Exchange[], name: string, none = 'no answer carries'): Exchange[] {
  const told = answers.filter((answer) => header(answer, name) !== undefined);
  if (told.length === 0) throw new NotApplicable(`${none} ${name}, which it may`);
  return told;
}

function expectTime(answer: Exchange, name: string): void {
  const value = header(answer, name);
  const isTime = secondsUntil(value, Date.now()) !== undefined;
  expectThat(isTime, answer, `seconds or a time in ${name}`, `${name}: ${value ?? ''}`);
}
