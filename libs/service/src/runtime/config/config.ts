import type { RateLimit } from '@items/conventions';
import type { EventsOptions } from '../../feed/events.js';
import type { Versions } from '../../http/versions/versions.js';
import type { AuthMethod } from '../settings/auth-methods.js';
import type { LogLevel } from '../logging/log-level.js';
import type { TrustedIssuer } from '../issuers/trusted-issuer.js';
import type { DatabaseConfig } from '../../data/database/database-options.js';
import type { RetryPolicy } from './retry-policy.js';

import type { OidcLogin } from './oidc-login.js';

/** All settings of an operator. SPEC §10 */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** Port of the metrics on {@link host}; 0 for any free port, undefined for none. */
  readonly metricsPort: number | undefined;
  /**
   * Port of an additional health server in its own thread, on {@link host}; 0 for any free port, undefined for none.
   */
  readonly healthPort: number | undefined;
  readonly database: DatabaseConfig;
  /** Standbys that may serve GETs of collections; undefined: the primary serves all. */
  readonly databaseReadUrl: string | undefined;
  /** Redis with the quotas of several instances; undefined: quotas in memory. */
  readonly redisUrl: string | undefined;
  /** At least 32 characters; undefined: the first start creates one. */
  readonly adminApiKey: string | undefined;
  readonly rateLimit: RateLimit;
  readonly anonymousRateLimit: RateLimit;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Origins as browsers write them in `Origin`; empty: CORS is off. */
  readonly corsOrigins: readonly string[];
  /** Names of request headers that pages may send in addition to those of the interface. SPEC §1.2 */
  readonly corsHeaders: readonly string[];
  readonly firstPartyRedirects: readonly string[];
  /** The accepted ways to authenticate. The admin key is always accepted. */
  readonly authMethods: readonly AuthMethod[];
  /** Whether users log in by passwords. */
  readonly passwordLogin: boolean;
  readonly console: boolean;
  /** Accent colour of the console, as `#rrggbb`; undefined for its default. */
  readonly consoleColor: string | undefined;
  readonly currency: string;
  readonly cursorTtlMs: number;
  /** Newest first; empty: one is created and stored in the database. */
  readonly cursorSecrets: readonly string[];
  readonly events: EventsOptions;
  /** Fixed by this release; no variable sets them. SPEC §9 */
  readonly versions: Versions;
  readonly webhooks: WebhooksConfig;
  /** Whether the database belongs to this process and ends with it: then the start prints nothing. */
  readonly isPrivate?: boolean;
  readonly requireHttps: boolean;
  /** PEM texts; undefined: the service speaks plain HTTP. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  /** Paths of both, which are read again when the files change. */
  readonly tlsPaths: { readonly cert: string; readonly key: string } | undefined;
  /** Identity providers whose tokens are trusted; empty: only our own tokens. SPEC §5.5 */
  readonly oauthIssuers: readonly TrustedIssuer[];
  /** Identity provider for logins; undefined: people log in only here. SPEC §5.5 */
  readonly oidcLogin: OidcLogin | undefined;
  /** Name in metrics, cookies, traces and database connections, such as `items`: lower case, digits and `_`. */
  readonly serviceName: string;
  /** Whether other processes of this machine may listen on the same port (SO_REUSEPORT). */
  readonly reusePort: boolean;
  /** Messages for the log of the start, for example about a variable without effect. */
  readonly notices: readonly string[];
  /** Addresses and CIDR blocks of the proxies whose forwarding headers count. */
  readonly trustProxy: readonly string[];
  readonly stopDelayMs: number;
  readonly logLevel: LogLevel;
  /** Whether lines of the access log have the address of the client. */
  readonly logAddresses: boolean;
  /** Duration above which a request or a statement is logged as slow. */
  readonly slowMs: number;
  /** Maximum duration of the warm-up before the service is ready; 0: no warm-up. */
  readonly warmUpMs: number;
  /** Whether the variables of OpenTelemetry enable traces; OpenTelemetry reads them itself. */
  readonly tracing: boolean;
  /** `Retry-After` during maintenance; undefined: no maintenance, unless the database says otherwise. */
  readonly maintenanceSeconds: number | undefined;
}

export interface WebhooksConfig {
  /** Keys that encrypt the secrets of webhooks, newest first; empty: one is created and stored in the database. */
  readonly keys: readonly string[];
  /** CIDR blocks that are allowed as targets although they are not public. */
  readonly allow: readonly string[];
  /** A resolver as `address:port`; undefined: the resolvers of the machine. */
  readonly dns: string | undefined;
  readonly policy: RetryPolicy;
}

export const CONFIG = Symbol('CONFIG');
