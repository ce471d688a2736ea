import type { RateLimit } from '@items/contracts';

/** Where the data lives. */
export type DatabaseConfig =
  { readonly dialect: 'sqlite'; readonly file: string } | { readonly dialect: 'postgres'; readonly url: string };

/** An identity provider whose tokens are trusted. authentication.md */
export interface TrustedIssuer {
  /** As it stands in `iss`. */
  readonly issuer: string;
  /** One of these has to stand in `aud`. */
  readonly audience: string[];
  /** Undefined where the issuer's own metadata says it. */
  readonly jwksUri: string | undefined;
  readonly scopeClaim: string;
  /** Word of the issuer → scopes of this service. */
  readonly scopeMap: ReadonlyMap<string, readonly string[]>;
}

/** Everything that an operator may set; decisions, "Running". */
export interface Config {
  /** 0 for any free port. */
  readonly port: number;
  readonly host: string;
  readonly database: DatabaseConfig;
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
  /** ISO 4217, upper case. */
  readonly currency: string;
  readonly cursorTtlMs: number;
  /** Newest first; empty where one is made and kept in the database. */
  readonly cursorSecrets: readonly string[];
  readonly requireHttps: boolean;
  /** PEM texts; undefined where the service speaks plain HTTP. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  /** Empty where only our own tokens are trusted. */
  readonly oauthIssuers: readonly TrustedIssuer[];
  readonly workers: number;
  /** Addresses and CIDR blocks of the proxies whose forwarding headers count. */
  readonly trustProxy: readonly string[];
}

/** Token under which Nest injects the {@link Config}. */
export const CONFIG = Symbol('CONFIG');

/** A variable whose value cannot be used; its message is the one sentence that the operator reads. */
export class ConfigError extends Error {
  constructor(variable: string, problem: string, example: string) {
    super(`${variable} ${problem}, for example ${variable}=${example}.`);
    this.name = 'ConfigError';
  }
}
