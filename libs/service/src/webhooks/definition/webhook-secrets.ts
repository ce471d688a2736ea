import { randomBytes } from 'node:crypto';

import { formatTime } from '../../data/definition/column-codecs.js';
import type { WebhookSecret } from '@items/dtos/contract';
import type { Queryable } from '../../data/database/database.js';

/** Visible part of a secret; times in milliseconds since the epoch. */
interface StoredSecret {
  readonly created_at: number;
  /** End of its grace; null for the current one. */
  readonly expires_at: number | null;
}

const ADD = 'INSERT INTO webhook_secrets (webhook_id, secret, created_at) VALUES ($1, $2, $3)';
const REMOVE = 'DELETE FROM webhook_secrets WHERE webhook_id = $1';
const END_GRACE = `${REMOVE} AND expires_at IS NOT NULL`;
const BEGIN_GRACE = 'UPDATE webhook_secrets SET expires_at = $2 WHERE webhook_id = $1';
const SHOWN = `SELECT created_at, expires_at FROM webhook_secrets WHERE webhook_id = $1
  ORDER BY expires_at IS NOT NULL, created_at DESC`;

/** In the format of Standard Webhooks: `whsec_` and the base64 of 32 random bytes. */
export function makeWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/**
 * Returns the visible part of a new webhook's secret, as JSON for {@link liveSecrets}. @param nowMs since the epoch.
 */
export function firstSecret(nowMs: number): string {
  const secret: StoredSecret = { created_at: nowMs, expires_at: null };
  return JSON.stringify([secret]);
}

/**
 * Replaces the current secret, which still signs until its grace ends. An older secret in its grace ends now, so at
 * most two sign.
 * @param closed the encrypted secret. @param nowMs since the epoch.
 * @returns the visible part of the secrets, as JSON for {@link liveSecrets}.
 */
export async function replaceSecret(
  tx: Queryable,
  webhookId: string,
  closed: string,
  graceSeconds: number,
  nowMs = Date.now(),
): Promise<string> {
  await tx.query(graceSeconds === 0 ? REMOVE : END_GRACE, [webhookId]);
  await tx.query(BEGIN_GRACE, [webhookId, nowMs + graceSeconds * 1000]);
  await tx.query(ADD, [webhookId, closed, nowMs]);
  return JSON.stringify(await tx.query<StoredSecret>(SHOWN, [webhookId]));
}

/** Returns the visible secrets, without those whose grace has ended. @param stored null for none. */
export function liveSecrets(stored: string | null, nowMs = Date.now()): WebhookSecret[] {
  return (JSON.parse(stored ?? '[]') as StoredSecret[])
    .filter(({ expires_at: expiresAt }) => expiresAt === null || expiresAt > nowMs)
    .map(({ created_at: createdAt, expires_at: expiresAt }) => ({
      created_at: formatTime(createdAt),
      expires_at: expiresAt === null ? null : formatTime(expiresAt),
    }));
}
