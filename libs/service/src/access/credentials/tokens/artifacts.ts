import { Injectable } from '@nestjs/common';
import { Database, type Queryable } from '../../../data/database/database.js';
import { hashSecret } from '../secrets/secret.js';

/** A code, token, browser session, interaction (login or consent page) or identity provider login. */
export interface Artifact {
  /** Name of the model in oidc-provider: `AccessToken`, `Session` … */
  readonly model: string;
  readonly authorization_id: string | null;
  readonly client_id: string | null;
  readonly user_id: string | null;
  /** Version of the user's credentials when a browser session was stored. */
  readonly credentials_version: number | null;
  readonly payload: string;
  readonly consumed_at: number | null;
  /** Times are Unix times in milliseconds. */
  readonly expires_at: number;
}

/** Only a hash of the value is stored. Omitted ids are null. */
export interface NewArtifact
  extends
    Pick<Artifact, 'model' | 'payload' | 'expires_at'>,
    Partial<Pick<Artifact, 'authorization_id' | 'client_id' | 'user_id' | 'credentials_version'>> {
  /** Secondary lookup key: the `uid` of oidc-provider. */
  readonly uid?: string | undefined;
}

const COLUMNS = 'model, authorization_id, client_id, user_id, credentials_version, payload, consumed_at, expires_at';
const PUT = `INSERT INTO oauth_artifacts
    (hash, model, authorization_id, client_id, user_id, credentials_version, uid_hash, payload, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  ON CONFLICT (hash) DO UPDATE SET user_id = excluded.user_id, credentials_version = excluded.credentials_version,
    uid_hash = excluded.uid_hash, payload = excluded.payload, expires_at = excluded.expires_at`;
const FIND = `SELECT ${COLUMNS} FROM oauth_artifacts WHERE hash = $1`;
const FIND_BY_UID = `SELECT ${COLUMNS} FROM oauth_artifacts WHERE uid_hash = $1`;
/** On both databases, only one of several concurrent uses succeeds. */
const CONSUME = 'UPDATE oauth_artifacts SET consumed_at = $2 WHERE hash = $1 AND consumed_at IS NULL RETURNING hash';

@Injectable()
export class Artifacts {
  constructor(private readonly database: Database) {}

  async find(value: string): Promise<Artifact | undefined> {
    const [artifact] = await this.database.query<Artifact>(FIND, [hashSecret(value)]);
    return artifact;
  }

  async findByUid(uid: string): Promise<Artifact | undefined> {
    const [artifact] = await this.database.query<Artifact>(FIND_BY_UID, [hashSecret(uid)]);
    return artifact;
  }

  async remove(value: string): Promise<void> {
    await this.database.transaction((tx) =>
      tx.query('DELETE FROM oauth_artifacts WHERE hash = $1', [hashSecret(value)]),
    );
  }

  async removeByUid(uid: string): Promise<void> {
    await this.database.transaction((tx) =>
      tx.query('DELETE FROM oauth_artifacts WHERE uid_hash = $1', [hashSecret(uid)]),
    );
  }
}

/** Ends the user's browser sessions. Tokens stay valid. */
export async function endBrowserLogins(tx: Queryable, userId: string): Promise<void> {
  await tx.query("DELETE FROM oauth_artifacts WHERE user_id = $1 AND model = 'Session'", [userId]);
}

/** @returns False if the artifact was used before. */
export async function consumeArtifact(tx: Queryable, value: string): Promise<boolean> {
  return (await tx.query(CONSUME, [hashSecret(value), Date.now()])).length > 0;
}

export async function putArtifact(tx: Queryable, value: string, artifact: NewArtifact): Promise<void> {
  await tx.query(PUT, [
    hashSecret(value),
    artifact.model,
    artifact.authorization_id ?? null,
    artifact.client_id ?? null,
    artifact.user_id ?? null,
    artifact.credentials_version ?? null,
    artifact.uid === undefined ? null : hashSecret(artifact.uid),
    artifact.payload,
    artifact.expires_at,
  ]);
}

/** Payload of oidc-provider's `Grant`. The scopes are under `openid`. */
export interface GrantPayload {
  readonly kind: 'Grant';
  readonly accountId: string;
  readonly clientId: string;
  readonly iat: number;
  readonly openid: { readonly scope: string };
  /** Refused scopes. oidc-provider does not prompt for these scopes again. */
  readonly rejected?: { readonly openid: { readonly scope: string } };
}

export function grantPayload(accountId: string, clientId: string, granted: string, rejected = ''): string {
  const payload: GrantPayload = {
    kind: 'Grant',
    accountId,
    clientId,
    iat: Math.floor(Date.now() / 1000),
    openid: { scope: granted },
    ...(rejected !== '' && { rejected: { openid: { scope: rejected } } }),
  };
  return JSON.stringify(payload);
}
