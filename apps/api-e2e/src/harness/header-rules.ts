import { API_VERSION } from '@items/dtos/contract';
import type { Answer, Exchange } from '@items/testing';

/** A rule of the specification for all responses to which it applies. */
export interface Rule {
  readonly sentence: string;
  readonly applies: (exchange: Exchange) => boolean;
  readonly holds: (answer: Answer) => boolean;
}

const always = (): boolean => true;
const hasStatus =
  (...statuses: readonly number[]) =>
  ({ answer }: Exchange): boolean =>
    statuses.includes(answer.status);
const whole = /^\d+$/;
const positive = /^[1-9]\d*$/;

const EXEMPT = /^\/(health|docs)\//;

/** Returns true for a CORS preflight, which no quota counts. */
function isPreflight({ request: { method, headers } }: Exchange): boolean {
  const names = headers.map(([name]) => name.toLowerCase());
  return method === 'OPTIONS' && names.includes('origin') && names.includes('access-control-request-method');
}

/** Returns true if a quota counts the request: its path has a quota, and the service could parse it. */
function isCounted(exchange: Exchange): boolean {
  const { request, answer } = exchange;
  const isExempt = EXEMPT.test(request.target) || isPreflight(exchange);
  const isUnreadable = request.method === 'HEAD' || answer.text.includes('"malformed_request"');
  // 417: `Expect` is checked before a request is counted.
  return !isExempt && answer.status !== 417 && !(answer.status === 400 && isUnreadable);
}

function hasRateLimitHeaders(answer: Answer): boolean {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) => answer.header(`x-ratelimit-${name}`));
  return (
    whole.test(limit ?? '') &&
    whole.test(remaining ?? '') &&
    positive.test(reset ?? '') &&
    Number(remaining) <= Number(limit)
  );
}

/** The `RateLimit` header of the IETF draft must agree with the `X-` ones. */
function hasDraftHeaders(answer: Answer): boolean {
  const [, remaining, reset] = /;\s*r=(\d+);\s*t=(\d+)/.exec(answer.header('ratelimit') ?? '') ?? [];
  const [, limit] = /;\s*q=(\d+);\s*w=\d+/.exec(answer.header('ratelimit-policy') ?? '') ?? [];
  const told = ['limit', 'remaining', 'reset'].map((name) => answer.header(`x-ratelimit-${name}`));
  return told.join() === [limit, remaining, reset].join();
}

function hasChallenges(answer: Answer): boolean {
  const lines = answer.all('www-authenticate');
  const wanted = [/^Bearer\b/, /^Basic .*charset="UTF-8"/, /^ApiKey .*header="X-API-Key"/];
  return wanted.every((pattern) => lines.some((line) => pattern.test(line)));
}

export const headerRules: readonly Rule[] = [
  { sentence: '§7 X-Request-Id', applies: always, holds: (answer) => (answer.header('x-request-id') ?? '') !== '' },
  {
    sentence: '§9 Api-Version is echoed on every answer',
    applies: always,
    holds: (answer) => answer.header('api-version') === API_VERSION,
  },
  {
    sentence: '§8 X-RateLimit-Limit, -Remaining, -Reset on every answer of a counted route',
    applies: isCounted,
    holds: hasRateLimitHeaders,
  },
  {
    sentence: "§8 the IETF draft's RateLimit and RateLimit-Policy beside them",
    applies: isCounted,
    holds: hasDraftHeaders,
  },
  {
    sentence: '§8 /health/* and the assets of /docs are exempt',
    applies: ({ request, answer }) => EXEMPT.test(request.target) && answer.status === 200,
    holds: (answer) => answer.header('x-ratelimit-limit') === undefined,
  },
  {
    sentence: '§1 A preflight has no headers of a quota',
    applies: isPreflight,
    holds: (answer) => answer.header('x-ratelimit-limit') === undefined && answer.header('ratelimit') === undefined,
  },
  {
    sentence: '§8 Retry-After and X-RateLimit-Reset are whole seconds ≥ 1 and equal on a 429',
    applies: hasStatus(429),
    holds: (answer) =>
      positive.test(answer.header('retry-after') ?? '') &&
      answer.header('retry-after') === answer.header('x-ratelimit-reset') &&
      answer.header('x-ratelimit-remaining') === '0',
  },
  {
    sentence: '§5 401 with a WWW-Authenticate line for each method',
    applies: hasStatus(401),
    holds: hasChallenges,
  },
  {
    sentence: '§4 405 carries Allow',
    applies: hasStatus(405),
    holds: (answer) => /^[A-Z]+(, [A-Z]+)*$/.test(answer.header('allow') ?? ''),
  },
  {
    sentence: '§4 Cache-Control: private, no-cache on resources, and no-transform where there is an ETag',
    applies: ({ request, answer }) => /^\/(items|api-keys)/.test(request.target) && [200, 304].includes(answer.status),
    holds: (answer) =>
      answer.header('cache-control') ===
      (answer.header('etag') === undefined ? 'private, no-cache' : 'private, no-cache, no-transform'),
  },
  {
    sentence: 'X-Content-Type-Options: nosniff',
    applies: always,
    holds: (answer) => answer.header('x-content-type-options') === 'nosniff',
  },
  {
    sentence: '§1 Bodies are JSON',
    applies: ({ request, answer }) => answer.body.length > 0 && !request.target.startsWith('/docs'),
    holds: (answer) => /^application\/([a-z.]+\+)?json\b/.test(answer.header('content-type') ?? ''),
  },
  {
    sentence: '§4 204 and 304 have an empty body',
    applies: hasStatus(204, 304),
    holds: (answer) => answer.body.length === 0 && (answer.header('content-length') ?? '0') === '0',
  },
];
