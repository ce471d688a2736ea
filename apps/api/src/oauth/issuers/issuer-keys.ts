import { ServiceUnavailableError } from '@items/errors';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWSHeaderParameters } from 'jose';

import type { TrustedIssuer } from '../../config/config.js';

const FETCH_TIMEOUT_MS = 3000;
/** Keys are read anew after so long, so that a withdrawn one is not trusted for ever. */
const LIFETIME_MS = 10 * 60 * 1000;
/** An unknown key makes us ask again, but nobody can make us ask more often than this. */
const COOLDOWN_MS = 1000;
const MAX_BYTES = 512 * 1024;

type Keys = ReturnType<typeof createLocalJWKSet>;
type Key = Awaited<ReturnType<Keys>>;

/** The public keys of an issuer: fetched when they are first needed, kept for a while, and asked for once at a time. */
export class IssuerKeys {
  private keys: { readonly find: Keys; readonly readAtMs: number } | undefined;
  private fetching: Promise<void> | undefined;
  private askedAtMs = 0;

  constructor(private readonly issuer: Pick<TrustedIssuer, 'issuer' | 'jwksUri'>) {}

  /**
   * @throws {errors.JWKSNoMatchingKey} the issuer has no such key, also when asked again.
   * @throws {ServiceUnavailableError} 503: the keys cannot be fetched.
   */
  async keyFor(header: JWSHeaderParameters): Promise<Key> {
    if (this.keys === undefined || Date.now() - this.keys.readAtMs > LIFETIME_MS) await this.read();
    try {
      return await this.find(header);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || Date.now() - this.askedAtMs < COOLDOWN_MS) throw error;
      this.askedAtMs = Date.now();
      await this.read();
      return this.find(header);
    }
  }

  private find(header: JWSHeaderParameters): Promise<Key> {
    if (this.keys === undefined) throw new Error('The keys were not read.');
    return this.keys.find(header);
  }

  private read(): Promise<void> {
    this.fetching ??= this.fetchKeys().finally(() => (this.fetching = undefined));
    return this.fetching;
  }

  private async fetchKeys(): Promise<void> {
    try {
      const uri = this.issuer.jwksUri ?? (await this.discover());
      const set = (await fetchJson(uri)) as JSONWebKeySet;
      this.keys = { find: createLocalJWKSet(set), readAtMs: Date.now() };
    } catch (cause) {
      throw new ServiceUnavailableError('issuer_unavailable', "The keys of the token's issuer cannot be fetched.", {
        retryAfterSeconds: 5,
        cause,
      });
    }
  }

  /** Where the issuer says that its keys are. RFC 8414, OpenID Connect Discovery 1.0 §4 */
  private async discover(): Promise<string> {
    const { issuer } = this.issuer;
    const base = issuer.replace(/\/$/, '');
    const metadata = (await fetchJson(`${base}/.well-known/openid-configuration`)) as Record<string, unknown>;
    const { jwks_uri: uri } = metadata;
    if (metadata['issuer'] !== issuer || typeof uri !== 'string') throw new Error(`${issuer} is not what it says.`);
    return uri;
  }
}

async function fetchJson(url: string): Promise<unknown> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`${url} answered ${String(response.status)}.`);
  const text = await response.text();
  if (text.length > MAX_BYTES) throw new Error(`${url} answered too much.`);
  return JSON.parse(text);
}
