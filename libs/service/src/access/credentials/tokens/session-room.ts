import type { Queryable } from '../../../data/database/database.js';

/** Maximum number of sessions of a user. SPEC §8.1 */
export const MAX_SESSIONS = 100;
/**
 * Maximum number of sessions that one login ends. A user may have more than {@link MAX_SESSIONS}, because an older
 * version had no limit.
 */
const MAX_ENDED_PER_LOGIN = 50;

const COUNT = 'SELECT count(*) AS n FROM sessions WHERE user_id = $1';
/** Expired sessions first, then by last use or creation. */
const TO_END = `SELECT id FROM sessions WHERE user_id = $1
  ORDER BY CASE WHEN expires_at <= $2 THEN 0 ELSE 1 END, coalesce(last_used_at, created_at), id LIMIT $3`;

/**
 * Finds the sessions that a new login ends, to stay within {@link MAX_SESSIONS}.
 * @param tx Must have locked the user.
 */
export async function sessionsToEnd(tx: Queryable, userId: string): Promise<readonly string[]> {
  const [row] = await tx.query<{ n: number }>(COUNT, [userId]);
  const surplus = Number(row?.n) - (MAX_SESSIONS - 1);
  if (surplus <= 0) return [];
  const rows = await tx.query<{ id: string }>(TO_END, [userId, Date.now(), Math.min(surplus, MAX_ENDED_PER_LOGIN)]);
  return rows.map(({ id }) => id);
}
