import type { RateLimit } from '@items/conventions';
import type { EventsOptions } from '../../feed/events.js';
import type { Versions } from '../../http/versions/versions.js';
import type { AuthMethod } from '../settings/auth-methods.js';
import type { LogLevel } from '../logging/log-level.js';
import type { TrustedIssuer } from '../issuers/trusted-issuer.js';
import type { DatabaseConfig } from '../../data/database/database-options.js';
import type { RetryPolicy } from './retry-policy.js';

import type { OidcLogin } from './oidc-login.js';

/** Everything that an operator may set; SPEC §10. */
export interface Config {
  /** 0 for any free port. */
  readonly port: number;
  readonly host: string;
  /** Where metrics are served, on {@link host}; 0 for any free port, undefined for none. */
  readonly metricsPort: number | undefined;
  /** Where health is served by a thread of its own as well, on {@link host}; 0 for any free port, undefined for none. */
  readonly healthPort: number | undefined;
  readonly database: DatabaseConfig;
  /** Standbys that may answer GETs of collections; undefined where the primary answers all. */
  readonly databaseReadUrl: string | undefined;
  /** Shared quotas for several instances; undefined for quotas in memory. */
  readonly redisUrl: string | undefined;
  /** At least 32 characters; undefined where the first start makes one. */
  readonly adminApiKey: string | undefined;
  readonly rateLimit: RateLimit;
  readonly anonymousRateLimit: RateLimit;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** As browsers write them in `Origin`; empty where CORS is off. */
  readonly corsOrigins: readonly string[];
  /** Names of request headers that pages may send beside those of the interface. SPEC §1.2 */
  readonly corsHeaders: readonly string[];
  /** Where the built-in client `first-party` has people sent after a login. */
  readonly firstPartyRedirects: readonly string[];
  /** The accepted ways to authenticate. The admin key is always accepted. */
  readonly authMethods: readonly AuthMethod[];
  /** Whether users log in by passwords. */
  readonly passwordLogin: boolean;
  /** Whether `/console` is served. */
  readonly console: boolean;
  /** Accent of the console, as `#rrggbb`; undefined for its own. */
  readonly consoleColor: string | undefined;
  /** ISO 4217, upper case. */
  readonly currency: string;
  readonly cursorTtlMs: number;
  /** Newest first; empty where one is made and kept in the database. */
  readonly cursorSecrets: readonly string[];
  readonly events: EventsOptions;
  /** No variable says them: they are those of this release. SPEC §9 */
  readonly versions: Versions;
  readonly webhooks: WebhooksConfig;
  /** Whether the database is this process's alone, and ends with it: nothing is printed. */
  readonly isPrivate?: boolean;
  readonly requireHttps: boolean;
  /** PEM texts; undefined where the service speaks plain HTTP. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  /** Identity providers whose tokens are trusted; empty where only our own are. SPEC §5.5 */
  readonly oauthIssuers: readonly TrustedIssuer[];
  /** Where people log in beside here; undefined where they log in here alone. SPEC §5.5 */
  readonly oidcLogin: OidcLogin | undefined;
  /** Name in metrics, cookies, traces and connections of the database, such as `items`: lower case, digits and `_`. */
  readonly serviceName: string;
  /** Whether other processes of this machine may listen on the same port (SO_REUSEPORT). */
  readonly reusePort: boolean;
  /** Sentences for the log of the start, such as one on a variable that has no effect. */
  readonly notices: readonly string[];
  /** Addresses and CIDR blocks of the proxies whose forwarding headers count. */
  readonly trustProxy: readonly string[];
  /** For how long a service that stops still takes new connections. */
  readonly stopDelayMs: number;
  /** What is logged at least. */
  readonly logLevel: LogLevel;
  /** Whether lines of the access log have the address of the client. */
  readonly logAddresses: boolean;
  /** A request or a statement that takes longer is a line of the log. */
  readonly slowMs: number;
  /** For how long it answers requests of its own before it is ready, at most; 0 where it does not. */
  readonly warmUpMs: number;
  /** Whether the variables of OpenTelemetry ask for traces, which it reads itself. */
  readonly tracing: boolean;
  /** What `Retry-After` says while the service is in maintenance; undefined where it is not, or the database says so. */
  readonly maintenanceSeconds: number | undefined;
}

/** How events are sent to webhooks. SPEC §6.2 */
export interface WebhooksConfig {
  /** What encrypts their secrets, newest first; empty where a key is made and kept in the database. */
  readonly keys: readonly string[];
  /** CIDR blocks that may be sent to although they are not public. */
  readonly allow: readonly string[];
  /** A resolver as `address:port`; undefined for those of the machine. */
  readonly dns: string | undefined;
  readonly policy: RetryPolicy;
}

/** Token under which Nest injects the {@link Config}. */
export const CONFIG = Symbol('CONFIG');
