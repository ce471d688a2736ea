import type { Queryable } from '../../../data/database/database.js';
import type { Artifact } from './artifacts.js';
import { hashSecret } from '../secrets/secret.js';

/** Period in which a refresh token may be used again, because the first response may be lost. SPEC §5.4 */
const GRACE_MS = 10_000;

/** `consumed_at` of a token that a repeated refresh has replaced. Any use of this token revokes its authorization. */
export const VOID = 0;

/**
 * Consumes a token, or locks a token in its grace period. PostgreSQL evaluates the condition again after waiting for
 * the row.
 */
const CONSUME = `UPDATE oauth_artifacts SET consumed_at = coalesce(consumed_at, $2)
  WHERE hash = $1 AND (consumed_at IS NULL OR consumed_at >= $3) RETURNING payload, consumed_at`;
const SET_PAYLOAD = 'UPDATE oauth_artifacts SET payload = $2 WHERE hash = $1';
const MAKE_VOID = `UPDATE oauth_artifacts SET consumed_at = ${String(VOID)}
  WHERE hash = $1 AND consumed_at IS NULL RETURNING hash`;

/** After `reused`, the authorization and all its tokens must end. */
export type RefreshUse = 'first' | 'repeated' | 'reused';

interface Payload {
  /** Hashes of the tokens that the last use issued. */
  readonly successors?: readonly string[];
}

/** Checks without a lock. {@link consumeRefreshToken} decides. */
export function isInGrace({ model, consumed_at: consumedAt }: Pick<Artifact, 'model' | 'consumed_at'>): boolean {
  return model === 'RefreshToken' && consumedAt !== null && consumedAt >= Date.now() - GRACE_MS;
}

/**
 * A repeated use within the grace period makes the tokens of the previous use void.
 * @param issued Hashes of the tokens that this use issues.
 */
export async function consumeRefreshToken(
  tx: Queryable,
  value: string,
  issued: readonly string[],
): Promise<RefreshUse> {
  const nowMs = Date.now();
  const hash = hashSecret(value);
  const [used] = await tx.query<Pick<Artifact, 'payload' | 'consumed_at'>>(CONSUME, [hash, nowMs, nowMs - GRACE_MS]);
  if (used === undefined) return 'reused';
  const payload = JSON.parse(used.payload) as Payload;
  const { successors } = payload;
  // An earlier version of the service, without a grace period, consumed the token.
  if (successors === undefined && used.consumed_at !== nowMs) return 'reused';
  for (const successor of successors ?? []) {
    if ((await tx.query(MAKE_VOID, [successor])).length === 0) return 'reused';
  }
  await tx.query(SET_PAYLOAD, [hash, JSON.stringify({ ...payload, successors: issued })]);
  return successors === undefined ? 'first' : 'repeated';
}
