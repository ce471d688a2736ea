import type { MaybePromise } from '@items/conventions';
import { Injectable } from '@nestjs/common';
import { type LookUps, LookUpCache } from '../../../data/caching/look-up-cache.js';
import { Database } from '../../../data/database/database.js';
import { VOID } from './refresh-tokens.js';
import { splitScope } from './scope-words.js';

export interface TokenFacts {
  /** Null for a client that acts for itself. */
  readonly userId: string | null;
  readonly clientId: string;
  /** Id of the authorization, or of the client that acts for itself. */
  readonly credentialId: string;
  /** Id of the user's approval, if an application holds the token. */
  readonly grantId: string | null;
  /** May include scopes that the service no longer has. */
  readonly scopes: readonly string[];
  readonly credentialsVersion: number;
  readonly expiresAt: number;
  /** True if a repeated refresh has replaced the token. Any use then revokes the authorization. */
  readonly isVoid: boolean;
  /** True if a refresh issued the token, and no use of the token is stored yet. */
  readonly isUnused: boolean;
}

/** Caches tokens for at most 5 s. Changes by this process are visible immediately. */
@Injectable()
export class AccessTokenCache {
  private readonly known = new LookUpCache<TokenFacts>();

  constructor(private readonly database: Database) {}

  get lookUps(): LookUps {
    return this.known.lookUps;
  }

  find(hash: string): MaybePromise<TokenFacts | null> {
    return this.known.get(hash, () => findTokenFacts(this.database, hash));
  }

  cached(hash: string): TokenFacts | undefined {
    return this.known.peek(hash);
  }

  forget(hash: string): void {
    this.known.forget(hash);
  }

  forgetAll(): void {
    this.known.clear();
  }
}

interface Row {
  readonly model: string;
  readonly client_id: string;
  readonly payload: string;
  readonly expires_at: number;
  readonly consumed_at: number | null;
  readonly authorization_id: string | null;
  readonly grant_id: string | null;
  readonly user_id: string | null;
  readonly credentials_version: number | null;
}

const BY_HASH = `
  SELECT t.model, t.client_id, t.payload, t.expires_at, t.consumed_at, a.id AS authorization_id, a.grant_id, a.user_id, a.credentials_version
  FROM oauth_artifacts t LEFT JOIN oauth_authorizations a ON a.id = t.authorization_id
  WHERE t.hash = $1`;

/** @returns Null for an unknown access token, or if its authorization has ended. */
async function findTokenFacts(database: Database, hash: string): Promise<TokenFacts | null> {
  const [row] = await database.query<Row>(BY_HASH, [hash]);
  if (row === undefined) return null;
  const { scope, gty } = JSON.parse(row.payload) as { scope?: string; gty?: string };
  const facts = {
    clientId: row.client_id,
    scopes: splitScope(scope),
    expiresAt: row.expires_at,
    isVoid: row.consumed_at === VOID,
    isUnused: row.consumed_at === null && gty?.endsWith('refresh_token') === true,
  };
  if (row.model === 'ClientCredentials') {
    return { ...facts, userId: null, credentialId: row.client_id, grantId: null, credentialsVersion: 0 };
  }
  const { authorization_id: credentialId, user_id: userId, credentials_version: credentialsVersion } = row;
  if (row.model !== 'AccessToken' || credentialId === null || userId === null || credentialsVersion === null)
    return null;
  return { ...facts, userId, credentialId, grantId: row.grant_id, credentialsVersion };
}
