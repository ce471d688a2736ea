import { type Artifact, consumeArtifact, putArtifact } from '../../credentials/tokens/artifacts.js';
import { FIRST_PARTY } from '../../credentials/tokens/lifetimes.js';
import { seal, unseal } from '../../credentials/tokens/hashed.js';
import type { Transaction } from '../../../data/database/database.js';
import type { Adapter, AdapterPayload } from 'oidc-provider';

import type { AdapterParts } from './adapter-parts.js';
import { SecondUse } from './patches/second-use.js';

/** The data behind a cookie, encrypted: a reader of the database must not learn it. */
const SEALED = new Set(['Session', 'Interaction']);

/** Keeps what oidc-provider issues in the database: each by the hash of its value, which is stored nowhere. */
export class OauthAdapter implements Adapter {
  /** @param model as oidc-provider calls it: `AccessToken`, `Session` … */
  constructor(
    private readonly model: string,
    private readonly parts: AdapterParts,
  ) {}

  /** @param expiresIn seconds. */
  async upsert(value: string, payload: AdapterPayload, expiresIn = 0): Promise<void> {
    const { jti: _jti, ...rest } = payload;
    const text = JSON.stringify(rest);
    const userId = payload.accountId ?? null;
    const expiresAt = Date.now() + expiresIn * 1000;
    const artifact = {
      model: this.model,
      authorization_id: payload.grantId ?? null,
      client_id: payload.clientId ?? null,
      user_id: userId,
      credentials_version: await this.versionOf(userId),
      uid: payload.uid,
      payload: SEALED.has(this.model) ? seal(text, value) : text,
      expires_at: expiresAt,
    };
    await this.parts.writes.write(async (tx) => {
      await putArtifact(tx, value, artifact);
      await this.follow(tx, payload, expiresAt);
    });
  }

  async find(value: string): Promise<AdapterPayload | undefined> {
    const artifact = await this.parts.artifacts.find(value);
    if (artifact?.model !== this.model || (await this.isOutdated(artifact))) return undefined;
    const text = SEALED.has(this.model) ? unseal(artifact.payload, value) : artifact.payload;
    const consumed = artifact.consumed_at === null ? {} : { consumed: Math.floor(artifact.consumed_at / 1000) };
    return { ...(JSON.parse(text) as AdapterPayload), ...consumed, jti: value };
  }

  /** Of a browser session: as much as can be told without its cookie. */
  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    const artifact = await this.parts.artifacts.findByUid(uid);
    if (artifact?.model !== this.model || (await this.isOutdated(artifact))) return undefined;
    const exp = Math.floor(artifact.expires_at / 1000);
    return { uid, exp, kind: this.model, ...(artifact.user_id !== null && { accountId: artifact.user_id }) };
  }

  findByUserCode(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  /**
   * Lets the first of several uses at once pass; any other is a second use, which ends all that the first one gave.
   * @throws {SecondUse} here, or where the answer is stored.
   */
  async consume(value: string): Promise<void> {
    await this.parts.writes.write(async (tx) => {
      if (!(await consumeArtifact(tx, value))) throw new SecondUse(this.model, value);
    });
  }

  async destroy(value: string): Promise<void> {
    await this.parts.artifacts.remove(value);
    this.parts.authorizations.ended();
  }

  /** The end of the authorization takes them all with it; see `AuthorizationAdapter`. */
  revokeByGrantId(): Promise<void> {
    return Promise.resolve();
  }

  /** What an authorization becomes with what is issued under it. */
  private async follow(tx: Transaction, payload: AdapterPayload, expiresAt: number): Promise<void> {
    const { logins, authorizations } = this.parts;
    const isOfOwnPage = payload.clientId === FIRST_PARTY && payload.grantId !== undefined;
    if (this.model === 'AuthorizationCode' && isOfOwnPage) await logins.begin(tx, payload, expiresAt);
    if (this.model !== 'RefreshToken' || payload.grantId === undefined) return;
    if (isOfOwnPage && payload.gty === 'authorization_code') await logins.complete(tx, payload, expiresAt);
    else await authorizations.extend(tx, payload.grantId, expiresAt);
  }

  private async versionOf(userId: string | null): Promise<number | null> {
    if (this.model !== 'Session' || userId === null) return null;
    return (await this.parts.accounts.find(userId))?.credentialsVersion ?? null;
  }

  /** A browser session ends with the password that it began with. */
  private async isOutdated({ user_id: userId, credentials_version: version }: Artifact): Promise<boolean> {
    if (this.model !== 'Session' || userId === null) return false;
    const account = await this.parts.accounts.find(userId);
    return account === undefined || account.disabled || version === null || version < account.credentialsVersion;
  }
}
