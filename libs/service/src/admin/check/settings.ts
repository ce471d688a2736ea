import type { Config } from '../../runtime/config/config.js';
import { failure, type Finding, ok, warning } from './finding.js';

/** A setting that makes another one useless or harmful. */
interface Contradiction {
  readonly holds: (config: Config) => boolean;
  readonly finding: Finding;
}

const CONTRADICTIONS: readonly Contradiction[] = [
  {
    holds: (config) =>
      isHttps(config) && config.requireHttps && config.tls === undefined && config.trustProxy.length === 0,
    finding: failure(
      'REQUIRE_HTTPS refuses every credential: TLS ends neither here nor at a trusted proxy',
      'Set TRUST_PROXY to the addresses of the proxy, or TLS_CERT and TLS_KEY.',
    ),
  },
  {
    holds: (config) => !isHttps(config) && config.requireHttps && !isLocal(config),
    finding: failure(
      'REQUIRE_HTTPS refuses credentials over plain HTTP, and BASE_URL is plain HTTP',
      'Set BASE_URL to https://…, or REQUIRE_HTTPS=off.',
    ),
  },
  {
    holds: (config) => !isHttps(config) && config.tls !== undefined,
    finding: warning('TLS_CERT serves HTTPS, and BASE_URL is plain HTTP', 'Set BASE_URL to https://….'),
  },
  {
    holds: ({ databaseReadUrl, redisUrl, reusePort }) =>
      databaseReadUrl !== undefined && redisUrl === undefined && !reusePort,
    finding: warning(
      'DATABASE_READ_URL without REDIS_URL is right for a single instance only',
      'Set REDIS_URL before you start another one: otherwise callers may not see their own writes.',
    ),
  },
  {
    holds: ({ events, webhooks }) =>
      events.off !== true && events.keptMs < webhooks.policy.retriesMs.reduce((sum, ms) => sum + ms, 0),
    finding: warning(
      'EVENT_DAYS ends before the last retry of WEBHOOK_RETRIES: such deliveries are deleted untried',
      'Raise EVENT_DAYS, or shorten WEBHOOK_RETRIES.',
    ),
  },
  {
    holds: ({ corsOrigins, baseUrl }) =>
      corsOrigins.some((origin) => origin.startsWith('http:')) && baseUrl.startsWith('https:'),
    finding: warning('CORS_ORIGINS allows pages that were loaded over plain HTTP', 'Use https:// for each origin.'),
  },
];

export function checkSettings(config: Config): Finding {
  const found = CONTRADICTIONS.filter(({ holds }) => holds(config)).map(({ finding }) => finding);
  const worst = found.find(({ level }) => level === 'error') ?? found[0];
  if (worst === undefined) return ok('no settings contradict each other');
  const more = found.length === 1 ? '' : ` (and ${String(found.length - 1)} more)`;
  return { ...worst, message: worst.message + more };
}

function isHttps({ baseUrl }: Config): boolean {
  return baseUrl.startsWith('https:');
}

function isLocal({ baseUrl }: Config): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(baseUrl).hostname);
}
