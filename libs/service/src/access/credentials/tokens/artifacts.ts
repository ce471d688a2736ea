import { Database, type Queryable } from '../../../data/database/database.js';
import { Injectable } from '@nestjs/common';

import { hashed } from './hashed.js';

/** An issued code, token, browser session or page. */
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
  /** Times are in milliseconds since the epoch. */
  readonly expires_at: number;
}

/** Only the hash of its value is stored. */
export interface NewArtifact extends Omit<Artifact, 'consumed_at'> {
  /** A second key under which the artifact is found. */
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
    const [artifact] = await this.database.query<Artifact>(FIND, [hashed(value)]);
    return artifact;
  }

  async findByUid(uid: string): Promise<Artifact | undefined> {
    const [artifact] = await this.database.query<Artifact>(FIND_BY_UID, [hashed(uid)]);
    return artifact;
  }

  async remove(value: string): Promise<void> {
    await this.database.transaction((tx) => tx.query('DELETE FROM oauth_artifacts WHERE hash = $1', [hashed(value)]));
  }

  async removeByUid(uid: string): Promise<void> {
    await this.database.transaction((tx) => tx.query('DELETE FROM oauth_artifacts WHERE uid_hash = $1', [hashed(uid)]));
  }
}

/** The user must log in again; tokens stay valid. */
export async function endBrowserLogins(tx: Queryable, userId: string): Promise<void> {
  await tx.query("DELETE FROM oauth_artifacts WHERE user_id = $1 AND model = 'Session'", [userId]);
}

/** @returns Whether this is the first use. */
export async function consumeArtifact(tx: Queryable, value: string): Promise<boolean> {
  return (await tx.query(CONSUME, [hashed(value), Date.now()])).length > 0;
}

export async function putArtifact(tx: Queryable, value: string, artifact: NewArtifact): Promise<void> {
  await tx.query(PUT, [
    hashed(value),
    artifact.model,
    artifact.authorization_id,
    artifact.client_id,
    artifact.user_id,
    artifact.credentials_version,
    artifact.uid === undefined ? null : hashed(artifact.uid),
    artifact.payload,
    artifact.expires_at,
  ]);
}
