import { createHash } from 'node:crypto';

import type { Config } from '../config/config.js';

export const INSTANCE_PREFIX = 'instance ';
export const REPORT_MS = 60_000;
/** An instance whose latest report is older counts as gone. */
export const GONE_MS = 3 * REPORT_MS;

const FINGERPRINT_LENGTH = 12;

/** Report of a running instance. It shows which settings differ between instances, but no secrets. */
export interface InstanceRecord {
  /** Milliseconds since the epoch. */
  readonly reportedAt: number;
  /** Maximum number of its connections to PostgreSQL; 0 on SQLite. */
  readonly pool: number;
  readonly hasRedis: boolean;
  /** Fingerprints in the order of the setting; empty if the secret is stored in the database. */
  readonly cursorSecrets: readonly string[];
  readonly webhookKeys: readonly string[];
  /** Fingerprints of the settings that must be the same on all instances. */
  readonly settings: Readonly<Record<string, string>>;
}

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

/** Secrets have at least 32 characters, so none can be guessed from its fingerprint. */
function fingerprint(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
  return createHash('sha256').update(`items instance ${text}`).digest('base64url').slice(0, FINGERPRINT_LENGTH);
}
