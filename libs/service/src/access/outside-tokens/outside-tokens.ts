import { LookUpCache } from '../../data/caching/look-up-cache.js';
import { hashSecret } from '../credentials/secrets/secret.js';
import { type MaybePromise, ServiceUnavailableError } from '@items/conventions';
import { decodeJwt, errors, jwtVerify, type JWTPayload } from 'jose';
import { isAcceptableAccessToken } from './access-token-marks.js';
import { claimOf, hasValidText, scopesOf } from './token-claims.js';
import { IssuerKeys, type IssuerLog } from './issuer-keys.js';
import type { TrustedIssuer } from '../../runtime/issuers/trusted-issuer.js';

/** Only asymmetric signatures. With `none` or a shared secret, anyone could sign. RFC 8725 §3.1 */
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
/** Tolerated clock difference, which extends the life of a token. */
const CLOCK_TOLERANCE_SECONDS = 30;
/** Three parts in base64url. RFC 7519 §3 */
const JWT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/;

export interface OutsideToken {
  readonly issuer: string;
  /** The claim `sub`. It identifies the person at the issuer. */
  readonly subject: string;
  /** Value of the `subject_claim`. It links a person to a user. Undefined if the token lacks this claim. */
  readonly person: string | undefined;
  readonly scopes: readonly string[];
  /** True if the operator has mapped the scopes (`scope_map`). */
  readonly areScopesMapped: boolean;
  /** Unix time in milliseconds, including the tolerance. */
  readonly endsAt: number;
}

interface Trust {
  readonly trusted: TrustedIssuer;
  readonly keys: IssuerKeys;
  /** Verified tokens by hash, because anyone may send long tokens. */
  readonly tokens: LookUpCache<OutsideToken>;
}

/** Verifies access tokens of other issuers. */
export class OutsideTokens {
  private readonly issuers: ReadonlyMap<string, Trust>;

  constructor(issuers: readonly TrustedIssuer[], log?: IssuerLog) {
    this.issuers = new Map(
      issuers.map((trusted) => [
        trusted.issuer,
        { trusted, keys: new IssuerKeys(trusted, log), tokens: new LookUpCache({ endsAt: ({ endsAt }) => endsAt }) },
      ]),
    );
  }

  isCached(token: string): boolean {
    if (this.issuers.size === 0 || !JWT.test(token)) return false;
    return this.issuers.get(issuerOf(token))?.tokens.peek(hashSecret(token)) !== undefined;
  }

  /**
   * @returns Null for an expired or invalid token, a token for another service, or a token of an untrusted issuer.
   * @throws {ServiceUnavailableError} 503: the issuer's keys are unavailable.
   */
  authenticate(token: string): MaybePromise<OutsideToken | null> {
    if (this.issuers.size === 0 || !JWT.test(token)) return null;
    const trust = this.issuers.get(issuerOf(token));
    if (trust === undefined) return null;
    return trust.tokens.get(hashSecret(token), () => verify(token, trust));
  }
}

async function verify(token: string, { trusted, keys }: Trust): Promise<OutsideToken | null> {
  const claims = await claimsOf(token, trusted, keys);
  if (claims === null || !hasValidText(token)) return null;
  const { sub: subject = '', exp = 0 } = claims;
  const person = claimOf(claims, trusted.subjectClaim ?? 'sub');
  return {
    issuer: trusted.issuer,
    subject,
    person: typeof person === 'string' && person !== '' ? person : undefined,
    scopes: scopesOf(trusted, claims),
    areScopesMapped: trusted.scopeMap !== undefined,
    endsAt: (exp + CLOCK_TOLERANCE_SECONDS) * 1000,
  };
}

async function claimsOf(token: string, trusted: TrustedIssuer, keys: IssuerKeys): Promise<JWTPayload | null> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, (header) => keys.keyFor(header), {
      issuer: trusted.issuer,
      audience: [...trusted.audience],
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      requiredClaims: ['exp', 'sub'],
    });
    const nowSeconds = Date.now() / 1000 + CLOCK_TOLERANCE_SECONDS;
    return isAcceptableAccessToken(protectedHeader, payload, nowSeconds) ? payload : null;
  } catch (error) {
    // Only errors of jose mean that the token is invalid.
    if (error instanceof errors.JOSEError) return null;
    throw error instanceof ServiceUnavailableError ? error : unreadable(error);
  }
}

/** Returns the unverified issuer. The caller then verifies the signature with the keys of this issuer. */
function issuerOf(token: string): string {
  try {
    return decodeJwt(token).iss ?? '';
  } catch {
    return '';
  }
}

function unreadable(cause: unknown): ServiceUnavailableError {
  return new ServiceUnavailableError('issuer_unavailable', "The keys of the token's issuer cannot be read.", { cause });
}
