import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';

import { versions } from '../versions/versions.js';
import { type Config, ConfigError } from './config.js';
import { trustedIssuers } from './trusted-issuer.js';
import { webhooksConfig } from './webhooks-config.js';
import * as read from './values.js';

/** An hour of walking; SPEC §4 Cursor rules. */
const DEFAULT_CURSOR_TTL_SECONDS = 3600;
const DEFAULT_EVENT_DAYS = 30;
const DAY_MS = 86_400_000;
const MIN_SECRET_LENGTH = 32;
/** A balancer that asks every two seconds, and believes the third answer, has noticed by then. */
const BALANCED_STOP_DELAY_SECONDS = 7;
const EXAMPLE_CERT = '/etc/items/cert.pem';

/**
 * Reads and judges the whole environment, so that a wrong value stops the service before it has done anything.
 * @throws {ConfigError} one sentence that names the variable, what is wrong with it, and an example.
 */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const variable = (name: string): read.Variable => ({ name, value: env[name]?.trim() || undefined });

  const tls = readTls(variable('TLS_CERT'), variable('TLS_KEY'));
  const port = read.wholeNumber(variable('PORT'), { min: 0, max: 65_535, fallback: 3000 });
  const defaultBaseUrl = `${tls === undefined ? 'http' : 'https'}://localhost:${String(port)}`;
  const database = read.database(variable('DATABASE_URL'), variable('MIGRATION_DATABASE_URL'));
  const redisUrl = read.redis(variable('REDIS_URL'));
  const isOneOfMany = database.dialect === 'postgres' || redisUrl !== undefined;
  const config: Config = {
    port,
    host: variable('HOST').value ?? '127.0.0.1',
    metricsPort: read.port(variable('METRICS_PORT')),
    database,
    redisUrl,
    adminApiKey: read.secret(variable('ADMIN_API_KEY'), MIN_SECRET_LENGTH),
    rateLimit: read.rateLimit(variable('RATE_LIMIT'), { requests: 600, seconds: 60 }),
    anonymousRateLimit: read.rateLimit(variable('RATE_LIMIT_ANONYMOUS'), { requests: 60, seconds: 60 }),
    baseUrl: read.publicAddress(variable('BASE_URL')) ?? defaultBaseUrl,
    corsOrigins: read.origins(variable('CORS_ORIGINS')),
    currency: read.currency(variable('CURRENCY')),
    cursorTtlMs:
      read.wholeNumber(variable('CURSOR_TTL'), { min: 1, max: 2_592_000, fallback: DEFAULT_CURSOR_TTL_SECONDS }) * 1000,
    cursorSecrets: read
      .list(variable('CURSOR_SECRET'))
      .map((value) => read.secret({ name: 'CURSOR_SECRET', value }, MIN_SECRET_LENGTH) ?? value),
    events: {
      apiVersion: versions.current,
      keptMs: read.days(variable('EVENT_DAYS'), DEFAULT_EVENT_DAYS) * DAY_MS,
      off: !read.flag(variable('EVENTS'), true),
    },
    versions,
    webhooks: webhooksConfig(variable),
    requireHttps: read.flag(variable('REQUIRE_HTTPS'), env['NODE_ENV'] === 'production'),
    tls,
    oauthIssuers: trustedIssuers(variable('OAUTH_ISSUERS')),
    workers: read.wholeNumber(variable('WORKERS'), { min: 1, max: 64, fallback: 1 }),
    trustProxy: read.proxies(variable('TRUST_PROXY')),
    logLevel: read.logLevel(variable('LOG_LEVEL')),
    slowMs: read.wholeNumber(variable('SLOW_MS'), { min: 1, max: 3_600_000, fallback: 500 }),
    maintenanceSeconds: read.maintenance(variable('MAINTENANCE')),
    stopDelayMs:
      read.wholeNumber(variable('STOP_DELAY'), {
        min: 0,
        max: 300,
        fallback: isOneOfMany ? BALANCED_STOP_DELAY_SECONDS : 1,
      }) * 1000,
  };
  if (config.workers > 1 && config.redisUrl === undefined) {
    throw new ConfigError('WORKERS', 'above 1 needs REDIS_URL, because the processes must share their quotas', '1');
  }
  if (config.metricsPort === port && port !== 0) {
    throw new ConfigError('METRICS_PORT', 'must be another port than PORT', String(port + (port < 65_535 ? 1 : -1)));
  }
  return Object.freeze(config);
}

function readTls(cert: read.Variable, key: read.Variable): Config['tls'] {
  if (cert.value === undefined && key.value === undefined) return undefined;
  const tls = { cert: readPem(cert, key.name), key: readPem(key, cert.name) };
  if (!isPair(tls)) throw new ConfigError(cert.name, `and ${key.name} must be a certificate and its key`, EXAMPLE_CERT);
  return tls;
}

function isPair(tls: NonNullable<Config['tls']>): boolean {
  try {
    createSecureContext(tls);
    return true;
  } catch {
    return false;
  }
}

function readPem({ name, value }: read.Variable, partner: string): string {
  const example = name === 'TLS_CERT' ? EXAMPLE_CERT : '/etc/items/key.pem';
  if (value === undefined) throw new ConfigError(name, `must be given together with ${partner}`, example);
  const pem = readText(value);
  if (!pem?.includes('-----BEGIN ')) throw new ConfigError(name, 'must be the path of a readable PEM file', example);
  return pem;
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
