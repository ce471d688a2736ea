import type { Answer } from '../right-service.testing.js';
import { stranger, isList, type Step, wrong, type WrongService } from './wrong-service.testing.js';

const exceeded =
  (change: Partial<Answer>): Step =>
  (request, right) => {
    const answer = right(request);
    return answer.status === 429 ? { ...answer, ...change, headers: { ...answer.headers, ...change.headers } } : answer;
  };
const carrying =
  (headers: Record<string, string>): Step =>
  (request, right) => ({ ...right(request), headers });
const quota = { quota: 10 };

const everythingAtOnce: Step = (request, right, items) =>
  isList(request) && !stranger(request) ? { status: 200, body: [...items.values()] } : right(request);

export const section8: readonly WrongService[] = [
  {
    fails: '8.paging.asked',
    what: 'lists everything in a bare array for any `size`',
    naming: { member: null, query: { per_page: 'size' } },
    make: () => everythingAtOnce,
  },
  {
    fails: '8.paging.default',
    what: 'lists everything in a bare array for any parameters',
    naming: { member: null },
    make: () => everythingAtOnce,
  },
  wrong('8.paging.default', 'lists everything without parameters', (request, right, items) =>
    isList(request) && !stranger(request) && request.query.size === 0
      ? { status: 200, body: { items: [...items.values()], page: 1, per_page: items.size, total: items.size } }
      : right(request),
  ),
  wrong('8.paging.default', 'lists everything, and has a quota that is large enough', (request, right, items) => {
    const answer =
      isList(request) && !stranger(request) && request.query.size === 0
        ? { status: 200, body: { items: [...items.values()] } }
        : right(request);
    return { ...answer, headers: { ...answer.headers, 'X-RateLimit-Remaining': '900' } };
  }),
  wrong('8.quota.status', 'answers 403 over the quota', exceeded({ status: 403 }), quota),
  wrong('8.quota.status', 'answers 503 over the quota', exceeded({ status: 503 }), quota),
  wrong('8.quota.error', 'answers a page over the quota', exceeded({ text: '<h1>Slow down</h1>' }), quota),
  wrong('8.quota.error', 'sends an empty body over the quota', exceeded({ text: '' }), quota),
  wrong('8.retry-after', 'sends a Retry-After without a time', exceeded({ headers: { 'Retry-After': 'soon' } }), quota),
  wrong(
    '8.remaining.exhausted',
    'has requests left over the quota',
    exceeded({ headers: { 'X-RateLimit-Remaining': '5' } }),
    quota,
  ),
  wrong('8.headers.limit', 'sends a quota that is not a number', carrying({ 'X-RateLimit-Limit': 'many' })),
  wrong('8.headers.remaining', 'has a negative remaining quota', carrying({ 'X-RateLimit-Remaining': '-1' })),
  wrong(
    '8.headers.remaining',
    'has a remaining quota above the quota',
    carrying({ 'X-RateLimit-Limit': '5', 'X-RateLimit-Remaining': '9' }),
  ),
  wrong('8.headers.reset', 'sends a reset without a time', carrying({ 'X-RateLimit-Reset': 'later' })),
];
