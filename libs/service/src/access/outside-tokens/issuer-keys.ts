import { ServiceUnavailableError } from '@items/conventions';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWSHeaderParameters } from 'jose';
import { fetchBounded } from '../../runtime/issuers/fetch-bounded.js';
import { areKeysSafeAt, type TrustedIssuer } from '../../runtime/issuers/trusted-issuer.js';

const FETCH_TIMEOUT_MS = 3000;
/** Limits the time for which a withdrawn key is trusted while the issuer responds. */
const LIFETIME_MS = 10 * 60 * 1000;
/** Minimum time between requests, because anyone can send tokens with invented key ids. */
const COOLDOWN_MS = 1000;

type Keys = ReturnType<typeof createLocalJWKSet>;
type Key = Awaited<ReturnType<Keys>>;

export interface IssuerLog {
  warn(message: string): void;
}

/**
 * Fetches the public keys of an issuer on first use, with at most one request at a time and per second. While the
 * issuer does not respond, cached keys are used beyond their lifetime.
 */
export class IssuerKeys {
  private keys: { readonly find: Keys; readonly readAtMs: number } | undefined;
  private fetching: Promise<void> | undefined;
  private requestedAtMs = -Infinity;
  private failure: unknown;

  constructor(
    private readonly issuer: Pick<TrustedIssuer, 'issuer' | 'jwksUri'>,
    private readonly log?: IssuerLog,
  ) {}

  /**
   * @throws {errors.JWKSNoMatchingKey} The issuer has no such key, even after fetching again.
   * @throws {ServiceUnavailableError} 503: the keys cannot be fetched.
   */
  async keyFor(header: JWSHeaderParameters): Promise<Key> {
    if (this.keys === undefined || performance.now() - this.keys.readAtMs > LIFETIME_MS) await this.read();
    try {
      return await this.find(header);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
    }
    await this.read();
    try {
      return await this.find(header);
    } catch (error) {
      // Throws 503 after a failed request, because the unknown key may be new.
      throw this.failure === undefined ? error : unavailable(this.failure);
    }
  }

  private find(header: JWSHeaderParameters): Promise<Key> {
    if (this.keys === undefined) throw unavailable(this.failure);
    return this.keys.find(header);
  }

  /** If the request fails, the cached keys stay. */
  private async read(): Promise<void> {
    if (this.fetching === undefined && performance.now() - this.requestedAtMs >= COOLDOWN_MS) {
      this.requestedAtMs = performance.now();
      this.fetching = this.fetchKeys().finally(() => (this.fetching = undefined));
    }
    await this.fetching;
  }

  private async fetchKeys(): Promise<void> {
    try {
      const uri = this.issuer.jwksUri ?? (await this.discover());
      const set = (await fetchJson(uri)) as JSONWebKeySet;
      this.keys = { find: createLocalJWKSet(set), readAtMs: performance.now() };
      this.failure = undefined;
    } catch (error) {
      this.failure = error;
      this.log?.warn(
        `Could not fetch the keys of ${this.issuer.issuer}; its tokens get 503 if their key is not cached: ${String(error)}`,
      );
    }
  }

  /** Finds the address of the keys in the metadata of the issuer. RFC 8414, OpenID Connect Discovery 1.0 §4 */
  private async discover(): Promise<string> {
    const { issuer } = this.issuer;
    const base = issuer.replace(/\/$/, '');
    const metadata = (await fetchJson(`${base}/.well-known/openid-configuration`)) as Record<string, unknown>;
    const { jwks_uri: uri } = metadata;
    if (metadata['issuer'] !== issuer || typeof uri !== 'string')
      throw new Error(`The metadata of ${issuer} has another issuer, or no jwks_uri.`);
    if (!areKeysSafeAt(uri, issuer)) throw new Error(`The keys of ${issuer} are not at an HTTPS address.`);
    return uri;
  }
}

function unavailable(cause: unknown): ServiceUnavailableError {
  const message = "The keys of the token's issuer cannot be fetched.";
  return new ServiceUnavailableError('issuer_unavailable', message, { retryAfterSeconds: 5, cause });
}

async function fetchJson(url: string): Promise<unknown> {
  const response = await fetchBounded(url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`${url} responded with ${String(response.status)}.`);
  return response.json();
}
