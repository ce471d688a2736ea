import type { Scope } from '@items/dtos/contract';
import { UnauthorizedError } from '@items/conventions';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../../runtime/config/config.js';
import { AmbiguousCredentialError } from '../../errors/access-errors.js';
import type { AuthStrategy } from './auth-strategy.js';
import { BUILT_IN_STRATEGIES } from './built-in-strategies.js';
import { ownAuthStrategies, type OwnStrategy } from './own-strategy.js';

const AUTHORIZATION = 'authorization';

export interface Presented {
  readonly count: 'none' | 'one' | 'several';
  /** Undefined for an unknown scheme, and unless there is exactly one credential. */
  readonly by: AuthStrategy | undefined;
}

const NONE: Presented = { count: 'none', by: undefined };
const SEVERAL: Presented = { count: 'several', by: undefined };
const UNKNOWN: Presented = { count: 'one', by: undefined };

/** Includes the built-in strategies and those of a team. ADR 109 */
export class AuthStrategies {
  /** Always includes `X-API-Key`, because the admin key is always accepted. */
  readonly rows: readonly AuthStrategy[];
  /** These strategies appear in challenges and in the OpenAPI document. */
  readonly offered: readonly AuthStrategy[];
  private readonly headers: readonly string[];
  private readonly byHeader = new Map<string, Presented>();
  private readonly byScheme = new Map<string, Presented>();
  private readonly baseUrl: string;

  constructor({ authMethods, baseUrl }: Pick<Config, 'authMethods' | 'baseUrl'>, own: readonly OwnStrategy[] = []) {
    this.baseUrl = baseUrl;
    const accepted: readonly string[] = authMethods;
    const builtIn = BUILT_IN_STRATEGIES.filter(({ name }) => name === 'api-key' || accepted.includes(name));
    this.rows = [...builtIn, ...ownAuthStrategies(own)];
    this.offered = this.rows.filter(({ name, isOwn }) => isOwn === true || accepted.includes(name));
    this.headers = [...new Set([AUTHORIZATION, ...this.rows.map(({ header }) => header.toLowerCase())])];
    for (const by of this.rows) {
      const presented: Presented = { count: 'one', by };
      if (by.scheme === undefined) this.byHeader.set(by.header.toLowerCase(), presented);
      else this.byScheme.set(by.scheme, presented);
    }
  }

  get ownHeaders(): readonly string[] {
    return this.rows.filter(({ isOwn }) => isOwn).map(({ header }) => header);
  }

  get offeredHeaders(): readonly string[] {
    return [...new Set(this.offered.map(({ header }) => header))];
  }

  /**
   * Reads the raw headers, because the parsed ones hide duplicates: Node drops a second Authorization, and joins a
   * second X-API-Key to the first.
   */
  presentedBy({ raw: { headers, rawHeaders } }: Pick<FastifyRequest, 'raw'>): Presented {
    let found: string | undefined;
    for (const name of this.headers) {
      if (headers[name] === undefined) continue;
      if (found !== undefined) return SEVERAL;
      found = name;
    }
    if (found === undefined) return NONE;
    let count = 0;
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const name = rawHeaders[index] ?? '';
      // Comparing the length first avoids a lower-case copy of nearly every name.
      if (name.length === found.length && name.toLowerCase() === found) count++;
    }
    if (count > 1) return SEVERAL;
    if (found !== AUTHORIZATION) return this.byHeader.get(found) ?? UNKNOWN;
    const [scheme = ''] = (headers.authorization ?? '').split(/[ \t]/, 1);
    return this.byScheme.get(scheme.toLowerCase()) ?? UNKNOWN;
  }

  /** 401, with a challenge for each offered strategy. It never reveals why a credential is invalid. SPEC §5 rule 1 */
  unauthorized(presented: Presented = NONE): UnauthorizedError {
    const { baseUrl } = this;
    const sentence =
      presented.count === 'none'
        ? `This operation needs a credential, such as ${this.exampleOfCredential}.`
        : 'The credential is not valid.';
    const challenges = this.offered.map((row) => row.challenge({ baseUrl, isPresented: row === presented.by }));
    return new UnauthorizedError(sentence, challenges.reverse());
  }

  wrongPassword(): UnauthorizedError {
    return this.unauthorized(UNKNOWN);
  }

  ambiguous(): AmbiguousCredentialError {
    return new AmbiguousCredentialError(this.ownHeaders);
  }

  securitySchemes(scopes: readonly Scope[]): Readonly<Record<string, object>> {
    return Object.assign({}, ...this.offered.map(({ documented }) => documented(scopes))) as Record<string, object>;
  }

  private get exampleOfCredential(): string {
    const names = this.offered.map(({ name }) => name);
    if (names.includes('api-key')) return 'an API key in X-API-Key';
    if (names.includes('bearer')) return 'a bearer token in Authorization';
    return names.includes('basic')
      ? 'a username and a password in Authorization'
      : `one in ${this.ownHeaders[0] ?? ''}`;
  }
}
