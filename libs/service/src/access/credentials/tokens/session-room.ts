import type { Queryable } from '../../../data/database/database.js';

/** Sessions of a user. SPEC §8.1 */
export const MAX_SESSIONS = 100;
/** Sessions that one login ends at most: a user may have had any number before there was a limit. */
const ENDED_AT_ONCE = 50;

const COUNT = 'SELECT count(*) AS n FROM sessions WHERE user_id = $1';
/** Expired ones first, then those used longest ago; one that was never used counts from its creation. */
const TO_END = `SELECT id FROM sessions WHERE user_id = $1
  ORDER BY CASE WHEN expires_at <= $2 THEN 0 ELSE 1 END, coalesce(last_used_at, created_at), id LIMIT $3`;

/**
 * Which sessions a new login ends.
 * @param tx in which the user is locked.
 * @returns their ids, none while there is room.
 */
export async function sessionsToEnd(tx: Queryable, userId: string): Promise<readonly string[]> {
  const [row] = await tx.query<{ n: number }>(COUNT, [userId]);
  const surplus = Number(row?.n) - (MAX_SESSIONS - 1);
  if (surplus <= 0) return [];
  const rows = await tx.query<{ id: string }>(TO_END, [userId, Date.now(), Math.min(surplus, ENDED_AT_ONCE)]);
  return rows.map(({ id }) => id);
}
