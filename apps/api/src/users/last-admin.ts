import { ConflictError } from '@items/errors';
import type { Dialect, Transaction } from '@items/store';

/** Name of PostgreSQL's advisory lock; SQLite has one writer at a time anyway. */
const LOCK = 0x17e_ad31;
const COUNT = "SELECT count(*) AS n FROM users WHERE role = 'admin' AND disabled = 0";

export const LAST_ADMIN = new ConflictError(
  'last_admin',
  'This is the last enabled administrator. Make another user an administrator first.',
);

/** Lets one transaction at a time take an administrator away: of two at once, each would see the other's still there. */
export async function lockAdmins(tx: Transaction, dialect: Dialect): Promise<void> {
  if (dialect === 'postgres') await tx.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
}

/** @throws {ConflictError} 409: after the change there is no enabled administrator. SPEC §2.2 */
export async function requireAdminLeft(tx: Transaction): Promise<void> {
  const [row] = await tx.query<{ n: number }>(COUNT);
  if (Number(row?.n) === 0) throw LAST_ADMIN;
}
