import { ConflictError } from '@items/conventions';
import { lockByRow } from '../../data/database/settings.js';
import type { Transaction } from '../../data/database/database.js';

const COUNT = "SELECT count(*) AS n FROM users WHERE role = 'admin' AND disabled = 0";

export const LAST_ADMIN = new ConflictError(
  'last_admin',
  'This is the last enabled administrator. Make another user an administrator first.',
);

/** Without this lock, two concurrent removals could each see the other administrator. */
export function lockAdmins(tx: Transaction): Promise<void> {
  return lockByRow(tx, 'admins');
}

/** @throws {ConflictError} 409: no enabled administrator would be left. SPEC §2.2 */
export async function requireAdminLeft(tx: Transaction): Promise<void> {
  const [row] = await tx.query<{ n: number }>(COUNT);
  if (Number(row?.n) === 0) throw LAST_ADMIN;
}
