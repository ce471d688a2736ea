import type { RateLimit } from '@items/conventions';
import type { EventsOptions } from '../../feed/events.js';
import type { Versions } from '../../http/versions/versions.js';
import type { AuthMethod } from '../settings/values.js';
import type { TrustedIssuer } from '../issuers/trusted-issuer.js';
import type { DatabaseConfig } from '../../data/database/database-options.js';
import type { OidcLogin } from './oidc-login.js';

export const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** All settings of an operator. SPEC §10 */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** `metricsPort` and `healthPort` are on {@link host}. 0: any free port; undefined: no server. */
  readonly metricsPort: number | undefined;
  readonly healthPort: number | undefined;
  readonly database: DatabaseConfig;
  readonly databaseReadUrl: string | undefined;
  /** Redis that stores the quotas of all instances; undefined: quotas in memory. */
  readonly redisUrl: string | undefined;
  /** At least 32 characters; undefined: the first start creates a key. */
  readonly adminApiKey: string | undefined;
  readonly rateLimit: RateLimit;
  readonly anonymousRateLimit: RateLimit;
  readonly baseUrl: string;
  /** Origins as browsers write them in `Origin`; empty: CORS is off. */
  readonly corsOrigins: readonly string[];
  /** Request headers that CORS allows, besides those of the API. SPEC §1.2 */
  readonly corsHeaders: readonly string[];
  readonly firstPartyRedirects: readonly string[];
  readonly authMethods: readonly AuthMethod[];
  readonly passwordLogin: boolean;
  readonly console: boolean;
  readonly consoleColor: string | undefined;
  readonly currency: string;
  readonly cursorTtlMs: number;
  /**
   * The first secret signs new cursors; all secrets verify cursors. Empty: a secret is created and stored in the
   * database.
   */
  readonly cursorSecrets: readonly string[];
  readonly events: EventsOptions;
  /** Fixed by this release; no variable sets them. SPEC §9 */
  readonly versions: Versions;
  readonly webhooks: WebhooksConfig;
  /** Whether the database is deleted when the process ends. If so, the start prints no keys or links. */
  readonly isPrivate?: boolean;
  readonly requireHttps: boolean;
  /** PEM texts; undefined: the service speaks plain HTTP. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  /** Paths of the files in {@link tls}. Changed files are read again. */
  readonly tlsPaths: { readonly cert: string; readonly key: string } | undefined;
  readonly oauthIssuers: readonly TrustedIssuer[];
  /** Identity provider for logins. SPEC §5.5 */
  readonly oidcLogin: OidcLogin | undefined;
  /** Name in metrics, cookies, traces and database connections, such as `items`: lower case, digits and `_`. */
  readonly serviceName: string;
  /** SO_REUSEPORT: other processes of this machine may listen on the port. */
  readonly reusePort: boolean;
  /** Messages for the log of the start, for example about a variable without effect. */
  readonly notices: readonly string[];
  readonly trustProxy: readonly string[];
  readonly stopDelayMs: number;
  readonly logLevel: LogLevel;
  readonly logAddresses: boolean;
  readonly slowMs: number;
  readonly warmUpMs: number;
  /** Whether OpenTelemetry's own variables enable traces. */
  readonly tracing: boolean;
  /** Always in maintenance, with this `Retry-After`. Undefined: only the database sets maintenance. */
  readonly maintenanceSeconds: number | undefined;
}

export interface RetryPolicy {
  /** Milliseconds from each failure to the next attempt. SPEC §6.2 */
  readonly retriesMs: readonly number[];
  /** Milliseconds of continuous failure after which the webhook is disabled. */
  readonly disableAfterMs: number;
}

export interface WebhooksConfig {
  /** The first key encrypts new secrets, all keys decrypt. Empty: a key is created and stored in the database. */
  readonly keys: readonly string[];
  /** CIDR blocks that are allowed as targets although they are not public. */
  readonly allow: readonly string[];
  /** A resolver as `address:port`; undefined: the resolvers of the machine. */
  readonly dns: string | undefined;
  readonly policy: RetryPolicy;
}

export const CONFIG = Symbol('CONFIG');
