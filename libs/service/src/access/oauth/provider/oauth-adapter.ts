import { type Artifact, consumeArtifact, putArtifact } from '../../credentials/tokens/artifacts.js';
import { FIRST_PARTY } from '../../credentials/tokens/lifetimes.js';
import { hashSecret } from '../../credentials/secrets/secret.js';
import { seal, unseal } from '../../credentials/tokens/seal.js';
import { consumeRefreshToken, isInGrace, type RefreshUse, VOID } from '../../credentials/tokens/refresh-tokens.js';
import type { Transaction } from '../../../data/database/database.js';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { AdapterParts } from './adapter-parts.js';
import { SecondUse } from './patches/store-together.js';

/** Models whose payload is encrypted with a key from the cookie, so that the database does not reveal the payload. */
const SEALED = new Set(['Session', 'Interaction']);
const PAIR = new Set(['AccessToken', 'RefreshToken']);

/** Stores artifacts (codes, tokens, sessions) of oidc-provider by the hash of their value. */
export class OauthAdapter implements Adapter {
  constructor(
    private readonly model: string,
    private readonly parts: AdapterParts,
  ) {}

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
    const write = async (tx: Transaction): Promise<void> => {
      await putArtifact(tx, value, artifact);
      await this.updateAuthorization(tx, payload, expiresAt);
    };
    await this.parts.writes.write(write, PAIR.has(this.model) ? hashSecret(value) : undefined);
  }

  async find(value: string): Promise<AdapterPayload | undefined> {
    const artifact = await this.parts.artifacts.find(value);
    if (artifact?.model !== this.model || (await this.isOutdated(artifact))) return undefined;
    if (this.model === 'AccessToken' && artifact.consumed_at === VOID && !this.parts.isRevocation) return undefined;
    const text = SEALED.has(this.model) ? unseal(artifact.payload, value) : artifact.payload;
    const { successors: _successors, ...payload } = JSON.parse(text) as AdapterPayload;
    const consumed = await this.consumedSeconds(artifact);
    return { ...payload, ...(consumed !== undefined && { consumed }), jti: value };
  }

  /** Finds a browser session by its `uid`. Omits the payload, because only the cookie can decrypt the payload. */
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
   * Accepts the first use of a code or token, and repeated uses of a refresh token within its grace period.
   * @throws {SecondUse} The code or token was already used, so `storeTogether` ends the authorization. Thrown at the
   * write, which `storeTogether` may delay.
   */
  async consume(value: string): Promise<void> {
    let use: RefreshUse = 'first';
    await this.parts.writes.write(async (tx, issued) => {
      if (this.model === 'RefreshToken') use = await consumeRefreshToken(tx, value, issued);
      else if (!(await consumeArtifact(tx, value))) use = 'reused';
      if (use === 'reused') throw new SecondUse(this.model, value);
    });
    this.parts.writes.afterwards(() => {
      if (use === 'repeated') this.parts.authorizations.clearCaches();
    });
  }

  async destroy(value: string): Promise<void> {
    await this.parts.artifacts.remove(value);
    this.parts.authorizations.clearCaches();
  }

  /** Does nothing: `authorizationAdapter` ends the artifacts. */
  revokeByGrantId(): Promise<void> {
    return Promise.resolve();
  }

  /**
   * @returns Unix time of the use in seconds. Undefined if the artifact may be used. Also undefined for a refresh token
   * in its grace period, because {@link consume} decides.
   */
  private async consumedSeconds(artifact: Artifact): Promise<number | undefined> {
    const { consumed_at: consumedAt } = artifact;
    // An access token stays valid after its first use.
    if (consumedAt === null || this.model === 'AccessToken') return undefined;
    if (!isInGrace(artifact)) return Math.floor(consumedAt / 1000);
    await this.parts.accessTokenUses.runNow();
    return undefined;
  }

  private async updateAuthorization(tx: Transaction, payload: AdapterPayload, expiresAt: number): Promise<void> {
    const { sessions, authorizations } = this.parts;
    const isFirstParty = payload.clientId === FIRST_PARTY && payload.grantId !== undefined;
    if (this.model === 'AuthorizationCode' && isFirstParty) await sessions.begin(tx, payload, expiresAt);
    if (this.model !== 'RefreshToken' || payload.grantId === undefined) return;
    if (isFirstParty && payload.gty === 'authorization_code') await sessions.redeem(tx, payload, expiresAt);
    else await authorizations.extend(tx, payload.grantId, expiresAt);
  }

  private async versionOf(userId: string | null): Promise<number | null> {
    if (this.model !== 'Session' || userId === null) return null;
    return (await this.parts.accounts.find(userId))?.credentialsVersion ?? null;
  }

  private async isOutdated({ user_id: userId, credentials_version: version }: Artifact): Promise<boolean> {
    if (this.model !== 'Session' || userId === null) return false;
    return (await this.parts.accounts.findEnabled(userId, version ?? -1)) === undefined;
  }
}
