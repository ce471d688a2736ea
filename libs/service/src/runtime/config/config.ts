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
  /** Both ports are on {@link host}; 0 for any free port, undefined for none. */
  readonly metricsPort: number | undefined;
  /** Port of an additional health server in its own thread. */
  readonly healthPort: number | undefined;
  readonly database: DatabaseConfig;
  readonly databaseReadUrl: string | undefined;
  /** Redis with the quotas of several instances; undefined: quotas in memory. */
  readonly redisUrl: string | undefined;
  /** At least 32 characters; undefined: the first start creates one. */
  readonly adminApiKey: string | undefined;
  readonly rateLimit: RateLimit;
  readonly anonymousRateLimit: RateLimit;
  readonly baseUrl: string;
  /** Origins as browsers write them in `Origin`; empty: CORS is off. */
  readonly corsOrigins: readonly string[];
  /** Names in addition to those of the interface. SPEC §1.2 */
  readonly corsHeaders: readonly string[];
  readonly firstPartyRedirects: readonly string[];
  readonly authMethods: readonly AuthMethod[];
  readonly passwordLogin: boolean;
  readonly console: boolean;
  readonly consoleColor: string | undefined;
  readonly currency: string;
  readonly cursorTtlMs: number;
  /** The first signs new cursors, all verify. Empty: one is created and stored in the database. */
  readonly cursorSecrets: readonly string[];
  readonly events: EventsOptions;
  /** Fixed by this release; no variable sets them. SPEC §9 */
  readonly versions: Versions;
  readonly webhooks: WebhooksConfig;
  /** The database belongs to this process and ends with it: then the start prints nothing. */
  readonly isPrivate?: boolean;
  readonly requireHttps: boolean;
  /** PEM texts; undefined: the service speaks plain HTTP. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  /** Paths of both, which are read again when the files change. */
  readonly tlsPaths: { readonly cert: string; readonly key: string } | undefined;
  readonly oauthIssuers: readonly TrustedIssuer[];
  /** SPEC §5.5: the identity provider for logins. */
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
  /** OpenTelemetry reads the variables itself; this is true if they enable traces. */
  readonly tracing: boolean;
  /** `Retry-After` during maintenance; undefined: only the database decides. */
  readonly maintenanceSeconds: number | undefined;
}

export interface RetryPolicy {
  /** Milliseconds from each failure to the next attempt. SPEC §6.2 */
  readonly retriesMs: readonly number[];
  /** Milliseconds without a success after which the webhook is disabled. */
  readonly disableAfterMs: number;
}

export interface WebhooksConfig {
  /** The first encrypts new secrets of webhooks, all decrypt. Empty: one is created and stored in the database. */
  readonly keys: readonly string[];
  /** CIDR blocks that are allowed as targets although they are not public. */
  readonly allow: readonly string[];
  /** A resolver as `address:port`; undefined: the resolvers of the machine. */
  readonly dns: string | undefined;
  readonly policy: RetryPolicy;
}

export const CONFIG = Symbol('CONFIG');
