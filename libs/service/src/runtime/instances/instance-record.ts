import { createHash } from 'node:crypto';

import type { Config } from '../config/config.js';

/** Begin of the names of the settings in which running instances report themselves. */
export const INSTANCE_PREFIX = 'instance ';
/** Interval of the reports, in milliseconds. */
export const REPORT_MS = 60_000;
/** Age of the latest report above which an instance counts as gone, in milliseconds. */
export const GONE_MS = 3 * REPORT_MS;

const FINGERPRINT_LENGTH = 12;

/** Report of a running instance. It shows settings that differ between instances, and no secrets. */
export interface InstanceRecord {
  /** Time of the report, in milliseconds since the epoch. */
  readonly reportedAt: number;
  /** Maximum number of its connections to PostgreSQL; 0 on SQLite. */
  readonly pool: number;
  readonly hasRedis: boolean;
  /** Fingerprints of `CURSOR_SECRET`, newest first; empty if the secret is stored in the database. */
  readonly cursorSecrets: readonly string[];
  /** Fingerprints of `WEBHOOK_KEY`, newest first; empty if the key is stored in the database. */
  readonly webhookKeys: readonly string[];
  /** Fingerprints of the settings that must be the same on all instances, by variable. */
  readonly settings: Readonly<Record<string, string>>;
}

/** An instance, with its name `host:process`. */
export interface NamedInstance extends InstanceRecord {
  readonly name: string;
}

export function instanceRecord(config: Config, pool: number, nowMs: number): InstanceRecord {
  return {
    reportedAt: nowMs,
    pool,
    hasRedis: config.redisUrl !== undefined,
    cursorSecrets: config.cursorSecrets.map(fingerprint),
    webhookKeys: config.webhooks.keys.map(fingerprint),
    settings: Object.fromEntries(
      Object.entries(sharedSettings(config)).map(([name, value]) => [name, fingerprint(value)]),
    ),
  };
}

/** Returns the instances whose report is recent, sorted by name. @param rows of the table `settings`. */
export function runningInstances(
  rows: readonly { readonly name: string; readonly value: string }[],
  nowMs: number,
): NamedInstance[] {
  return rows
    .filter(({ name }) => name.startsWith(INSTANCE_PREFIX))
    .map(({ name, value }) => ({ ...(JSON.parse(value) as InstanceRecord), name: name.slice(INSTANCE_PREFIX.length) }))
    .filter(({ reportedAt }) => nowMs - reportedAt < GONE_MS)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Settings that must be the same on all instances, by variable, without passwords, which may be easy to guess. */
function sharedSettings(config: Config): Readonly<Record<string, unknown>> {
  const { events, webhooks } = config;
  return {
    ADMIN_API_KEY: config.adminApiKey,
    AUDIT_DAYS: events.auditKeptMs,
    AUTH_METHODS: config.authMethods,
    BASE_URL: config.baseUrl,
    CORS_ORIGINS: config.corsOrigins,
    CURRENCY: config.currency,
    CURSOR_TTL: config.cursorTtlMs,
    DATABASE_READ_URL: withoutPassword(config.databaseReadUrl),
    EVENTS: events.off,
    EVENT_DAYS: events.keptMs,
    FIRST_PARTY_REDIRECTS: config.firstPartyRedirects,
    OAUTH_ISSUERS: config.oauthIssuers,
    OIDC_LOGIN: config.oidcLogin && { ...config.oidcLogin, clientSecret: '' },
    PASSWORD_LOGIN: config.passwordLogin,
    RATE_LIMIT: config.rateLimit,
    RATE_LIMIT_ANONYMOUS: config.anonymousRateLimit,
    REDIS_URL: withoutPassword(config.redisUrl),
    REQUIRE_HTTPS: config.requireHttps,
    WEBHOOK_ALLOW: webhooks.allow,
    WEBHOOK_RETRIES: webhooks.policy,
  };
}

function withoutPassword(url: string | undefined): string | undefined {
  return url?.replace(/\/\/[^@/]*@/, '//');
}

/** Identifies a value. Secrets have at least 32 characters, so one cannot be guessed from its fingerprint. */
function fingerprint(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
  return createHash('sha256').update(`items instance ${text}`).digest('base64url').slice(0, FINGERPRINT_LENGTH);
}
