import type { Scope } from '@items/dtos/contract';
import type { Type } from '@nestjs/common';
import type { AuthStrategy } from './auth-strategy.js';
import { BUILT_IN_STRATEGIES } from './built-in-strategies.js';
import { StartRefusedError } from '../../../data/definition/start-refused.js';

/** The user that `validate()` of an {@link OwnStrategy} found. */
export interface OwnCaller {
  readonly userId: string;
  /** Limits the scopes of the user. Default: all of them. */
  readonly scopes?: readonly string[];
  /** End of the credential. Before the end, a result of `validate()` is reused for at most 60 s. */
  readonly expiresAt?: Date;
}

/** An additional Passport strategy, with its own request header. */
export interface OwnStrategy {
  /** In lower case, such as `sso`. */
  readonly name: string;
  /** Name of the header, such as `X-SSO-Token`. */
  readonly header: string;
  /**
   * A class that extends `PassportStrategy(…)`. The class is a provider of one of `modules`, or has no dependencies.
   * Its `validate()` resolves to an {@link OwnCaller}, or to null for an invalid credential.
   */
  readonly strategy: Type<{ validate(...parameters: never[]): unknown; authenticate(...parameters: never[]): unknown }>;
}

const NAME = /^[a-z][a-z0-9-]{0,49}$/;
/** Proxies drop headers with underscores. */
const HEADER_NAME = /^[A-Za-z][A-Za-z0-9-]{0,99}$/;
const NO_SCOPES: readonly Scope[] = [];

export function ownAuthStrategies(own: readonly OwnStrategy[]): readonly AuthStrategy[] {
  const names = new Set(
    BUILT_IN_STRATEGIES.flatMap(({ name, documented }) => [name, ...Object.keys(documented(NO_SCOPES))]).map(
      normalizeName,
    ),
  );
  const headers = new Set(BUILT_IN_STRATEGIES.map(({ header }) => header.toLowerCase()));
  return own.map(({ name, header, strategy }) => {
    const fail = (problem: string): never => {
      throw new StartRefusedError(`The strategy "${name}" ${problem}.`);
    };
    if (!NAME.test(name)) fail(`needs another name: it must match ${String(NAME)}`);
    if (names.has(normalizeName(name))) fail('needs another name: this one is taken');
    if (!HEADER_NAME.test(header)) fail(`needs another header: "${header}" is not the name of a header`);
    if (isReservedHeader(header)) fail(`needs another header: ${header} is reserved`);
    if (headers.has(header.toLowerCase())) fail(`needs another header: ${header} is taken`);
    if (!isPassportStrategy(strategy))
      fail('needs a class that extends PassportStrategy(…) and has a method validate()');
    names.add(normalizeName(name));
    headers.add(header.toLowerCase());
    return {
      name,
      header,
      strategy,
      isOwn: true,
      challenge: () => `${name.toUpperCase()} header="${header}"`,
      documented: () => ({
        [name]: {
          type: 'apiKey',
          in: 'header',
          name: header,
          description: `A credential of the strategy \`${name}\`.`,
        },
      }),
    };
  });
}

/**
 * Normalizes a name for comparison. Schemes of `WWW-Authenticate` ignore case, and the scheme of `api-key` is `ApiKey`.
 */
function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll('-', '');
}

function isPassportStrategy(strategy: unknown): boolean {
  if (typeof strategy !== 'function') return false;
  const { authenticate, validate } = (strategy as { prototype: Record<string, unknown> }).prototype;
  return typeof authenticate === 'function' && typeof validate === 'function';
}

/** Headers that HTTP, browsers, proxies or this service already use, in lower case. */
const RESERVED: ReadonlySet<string> = new Set(
  `accept api-version authorization baggage cache-control connection cookie cookie2 date expect forwarded from
   host http2-settings idempotency-key keep-alive last-event-id max-forwards origin pragma prefer priority range
   referer sentry-trace set-cookie te traceparent tracestate trailer transfer-encoding upgrade user-agent via
   www-authenticate x-real-ip x-request-id`.split(/\s+/),
);

const RESERVED_PREFIXES = ['accept-', 'access-control-', 'content-', 'if-', 'proxy-', 'sec-', 'x-forwarded-'];

function isReservedHeader(header: string): boolean {
  const name = header.toLowerCase();
  // The `headers` object inherits names such as `constructor`, so every request seems to have such headers.
  if (name in Object.prototype) return true;
  return RESERVED.has(name) || RESERVED_PREFIXES.some((prefix) => name.startsWith(prefix));
}
