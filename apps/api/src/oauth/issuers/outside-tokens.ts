import { isScope, type Scope } from '@items/contracts';
import { ServiceUnavailableError } from '@items/errors';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { decodeJwt, errors, jwtVerify, type JWTPayload } from 'jose';

import { BearerTokens } from '../../auth/bearer/bearer-tokens.js';
import type { Principal } from '../../auth/principal.js';
import { CONFIG, type Config, type TrustedIssuer } from '../../config/config.js';
import { hashed } from '../tokens/hashed.js';
import { LookUps } from '../../caching/look-ups.js';
import { IssuerKeys } from './issuer-keys.js';
import { scopesOf } from './token-scopes.js';

/** Signatures of key pairs alone: with `none` or a shared secret anybody could sign. RFC 8725 §3.1 */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
/** How far clocks may be apart: a token is good for so much longer. */
const CLOCK_TOLERANCE_SECONDS = 30;
/** Three parts in base64url. RFC 7519 §3 */
const JWT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/;

/** A token of a trusted issuer that was verified. */
interface Verified {
  readonly principal: Principal;
  /** When it ends by our clock, the tolerance included; milliseconds since the epoch. */
  readonly endsAt: number;
}

/** Tells whose a token of an identity provider outside is; the configuration says which of them are trusted. */
@Injectable()
export class OutsideTokens implements OnModuleInit {
  /** Each remembers what it verified, by hashes: tokens are long, and whoever likes sends them. */
  private readonly issuers: ReadonlyMap<string, LookUps<Verified>>;

  constructor(
    @Inject(CONFIG) config: Pick<Config, 'oauthIssuers'>,
    private readonly bearer: BearerTokens,
  ) {
    this.issuers = new Map(config.oauthIssuers.map((trusted) => [trusted.issuer, tokensOf(trusted)]));
  }

  onModuleInit(): void {
    if (this.issuers.size > 0) this.bearer.accept((token) => (JWT.test(token) ? this.authenticate(token) : null));
  }

  /** @throws {ServiceUnavailableError} 503: the issuer's keys cannot be had. */
  async authenticate(token: string): Promise<Principal | null> {
    const verified = await this.issuers.get(issuerOf(token))?.get(token);
    return verified?.principal ?? null;
  }
}

function tokensOf(trusted: TrustedIssuer): LookUps<Verified> {
  const keys = new IssuerKeys(trusted);
  return new LookUps(
    (token) => verify(token, trusted, keys),
    ({ endsAt }) => endsAt,
    hashed,
  );
}

async function verify(token: string, trusted: TrustedIssuer, keys: IssuerKeys): Promise<Verified | null> {
  try {
    const { payload } = await jwtVerify(token, (header) => keys.keyFor(header), {
      issuer: trusted.issuer,
      audience: trusted.audience,
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      requiredClaims: ['exp', 'sub'],
    });
    const endsAt = ((payload.exp ?? 0) + CLOCK_TOLERANCE_SECONDS) * 1000;
    return { principal: principalOf(trusted, payload), endsAt };
  } catch (error) {
    // Only what jose judges is the token's fault.
    if (error instanceof errors.JOSEError) return null;
    throw error instanceof ServiceUnavailableError ? error : unreadable(error);
  }
}

/** Whoever it says to be: its signature is judged by that issuer's keys alone. */
function issuerOf(token: string): string {
  try {
    return decodeJwt(token).iss ?? '';
  } catch {
    return '';
  }
}

function principalOf(trusted: TrustedIssuer, payload: JWTPayload): Principal {
  const scopes: ReadonlySet<Scope> = new Set(scopesOf(trusted, payload).filter(isScope));
  // Neither of the two alone is unique.
  const credentialId = `outside:${hashed(JSON.stringify([trusted.issuer, payload.sub]))}`;
  return { credentialId, kind: 'bearer', userId: null, isAdmin: false, scopes, rateLimit: null };
}

function unreadable(cause: unknown): ServiceUnavailableError {
  return new ServiceUnavailableError('issuer_unavailable', "The keys of the token's issuer cannot be read.", { cause });
}
