import { existsSync } from 'node:fs';

import { isScope, type Role, ROLES } from '@items/dtos/contract';
import { readTrustedIssuers } from '../issuers/read-trusted-issuers.js';
import { origins, ownPages, proxies, publicAddress, redis } from '../settings/addresses.js';
import { ConfigError } from '../settings/config-error.js';
import { databaseConfig, standbys } from '../settings/database.js';
import { tlsFiles } from '../settings/tls-files.js';
import { isTracingWanted } from '../settings/tracing.js';
import * as read from '../settings/values.js';
import { readVariable, type Variable } from '../settings/variable.js';

import { basePathOf } from '../../http/base-path.js';
import { versions } from '../../http/versions/supported-versions.js';
import { type Config, LOG_LEVELS } from './config.js';
import { type KnownNames, oidcLogin } from './oidc-login.js';
import { waysToLogIn } from './ways-to-log-in.js';
import { webhooksConfig } from './webhooks-config.js';

const DEFAULT_CURSOR_TTL_SECONDS = 3600;
const DEFAULT_EVENT_DAYS = 30;
const DEFAULT_AUDIT_DAYS = 90;
const DAY_MS = 86_400_000;
/** Must be small: a statement locks all partitions of a table, and PostgreSQL has room for some thousand locks. */
const MAX_PARTITIONS = 60;
/** Time for three failed checks by a balancer that checks every two seconds. */
const BALANCED_STOP_DELAY_SECONDS = 7;
const METRICS_PORT_EXAMPLE = 9464;
const HEALTH_PORT_EXAMPLE = 3001;

const OF_ITEMS: KnownNames = {
  isScope,
  isRole: (text): text is Role => (ROLES as readonly unknown[]).includes(text),
};

/**
 * Validates the whole environment, so that a wrong value ends the start before any effect.
 * @param permissions scopes and roles of the service. Default: those of items and orders.
 * @throws {ConfigError} one sentence with the variable, the problem and an example.
 */
export function loadConfig(env: NodeJS.ProcessEnv, permissions: KnownNames = OF_ITEMS, serviceName = 'items'): Config {
  const variable = (name: string): Variable => readVariable(env, name);

  const tls = tlsFiles(variable('TLS_CERT'), variable('TLS_KEY'));
  const port = read.wholeNumber(variable('PORT'), { min: 0, max: 65_535, fallback: 3000 });
  const defaultBaseUrl = `${tls === undefined ? 'http' : 'https'}://localhost:${String(port)}`;
  const isMigrating = read.flag(variable('MIGRATE'), true);
  const database: Config['database'] = {
    ...databaseConfig(variable('DATABASE_URL'), variable('MIGRATION_DATABASE_URL')),
    ...(!isMigrating && { isMigratedElsewhere: true }),
  };
  const redisUrl = redis(variable('REDIS_URL'));
  const isOneOfMany = database.dialect === 'postgres' || redisUrl !== undefined;
  const baseUrl = publicAddress(variable('BASE_URL'), defaultBaseUrl);
  const eventDays = read.days(variable('EVENT_DAYS'), DEFAULT_EVENT_DAYS);
  const config: Config = {
    port,
    host: variable('HOST').value ?? '127.0.0.1',
    metricsPort: read.port(variable('METRICS_PORT'), METRICS_PORT_EXAMPLE),
    healthPort: read.port(variable('HEALTH_PORT'), HEALTH_PORT_EXAMPLE),
    database,
    databaseReadUrl: standbys(variable('DATABASE_READ_URL'), database),
    redisUrl,
    adminApiKey: read.adminKey(variable('ADMIN_API_KEY')),
    rateLimit: read.rateLimit(variable('RATE_LIMIT'), { requests: 600, seconds: 60 }),
    anonymousRateLimit: read.rateLimit(variable('RATE_LIMIT_ANONYMOUS'), { requests: 60, seconds: 60 }),
    baseUrl,
    ...waysToLogIn({
      authMethods: read.authMethods(variable('AUTH_METHODS')),
      passwordLogin: read.flag(variable('PASSWORD_LOGIN'), true),
      console: read.isConsoleOn(variable('CONSOLE'), baseUrl),
      firstPartyRedirects: ownPages(variable('FIRST_PARTY_REDIRECTS'), baseUrl),
      oauthIssuers: readTrustedIssuers(variable('OAUTH_ISSUERS'), (word) => permissions.isScope(word)),
      oidcLogin: oidcLogin(variable('OIDC_LOGIN'), permissions),
    }),
    consoleColor: read.color(variable('CONSOLE_COLOR')),
    corsOrigins: origins(variable('CORS_ORIGINS')),
    corsHeaders: read.headerNames(variable('CORS_HEADERS')),
    currency: read.currency(variable('CURRENCY'), 'USD'),
    cursorTtlMs:
      read.wholeNumber(variable('CURSOR_TTL'), { min: 1, max: 2_592_000, fallback: DEFAULT_CURSOR_TTL_SECONDS }) * 1000,
    cursorSecrets: read.secrets(variable('CURSOR_SECRET')),
    events: {
      apiVersion: versions.current,
      keptMs: eventDays * DAY_MS,
      off: !read.flag(variable('EVENTS'), true),
      partitionMs:
        read.wholeNumber(variable('PARTITION_SECONDS'), {
          min: 1,
          max: DAY_MS / 1000,
          fallback: (DAY_MS / 1000) * Math.ceil(eventDays / MAX_PARTITIONS),
        }) * 1000,
      auditKeptMs: read.days(variable('AUDIT_DAYS'), DEFAULT_AUDIT_DAYS) * DAY_MS,
    },
    versions: versions.below(basePathOf(baseUrl)),
    webhooks: webhooksConfig(variable),
    requireHttps: read.flag(variable('REQUIRE_HTTPS'), env['NODE_ENV'] === 'production'),
    tls,
    tlsPaths: tls && { cert: variable('TLS_CERT').value ?? '', key: variable('TLS_KEY').value ?? '' },
    serviceName,
    reusePort: read.flag(variable('REUSE_PORT'), false),
    notices: workersNotices(variable('WORKERS')),
    trustProxy: proxies(variable('TRUST_PROXY')),
    logLevel: read.oneOf(variable('LOG_LEVEL'), { words: LOG_LEVELS, fallback: 'info', example: 'warn' }),
    logAddresses: read.flag(variable('LOG_ADDRESSES'), true),
    slowMs: read.wholeNumber(variable('SLOW_MS'), { min: 1, max: 3_600_000, fallback: 500 }),
    warmUpMs: read.wholeNumber(variable('WARM_UP_MS'), { min: 0, max: 60_000, fallback: 1500 }),
    tracing: isTracingWanted(env),
    maintenanceSeconds: read.retryAfterOrOff(variable('MAINTENANCE')),
    stopDelayMs:
      read.wholeNumber(variable('STOP_DELAY'), {
        min: 0,
        max: 300,
        fallback: isOneOfMany ? BALANCED_STOP_DELAY_SECONDS : 1,
      }) * 1000,
  };
  if (config.reusePort && config.redisUrl === undefined) {
    throw new ConfigError('REUSE_PORT', 'needs REDIS_URL, because the processes must share their quotas', 'off');
  }
  read.differentPorts({ PORT: port, METRICS_PORT: config.metricsPort, HEALTH_PORT: config.healthPort });
  return Object.freeze(config);
}

/** `REUSE_PORT` has replaced `WORKERS`. @throws {ConfigError} the value is not 1. */
function workersNotices({ name, value }: Variable): readonly string[] {
  if (value === undefined) return [];
  if (value === '1') return [`${name}=1 has no effect: remove it.`];
  throw new ConfigError(name, 'is gone: start several processes with REUSE_PORT=on (docs/running.md)', '1');
}

/** Returns the environment, extended by the `.env` of the working directory. */
export function readEnvironment(): NodeJS.ProcessEnv {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}
