import type { Database } from '@items/store';

const ANNOUNCE = `UPDATE collection_lanes SET walks_until = max(seq, $2) + $3
  WHERE collection = $1 AND walks_until < seq`;

/**
 * Tells those who write on SQLite that walks may begin, from now on and for as long as the lease: until then they keep what
 * they replace. It need not be on the disk: after a loss of power, the start says that walks may have begun.
 */
export async function announceWalks(database: Database, collection: string, leaseMs: number): Promise<void> {
  const values = [collection, 1000 * Date.now(), Math.ceil(1000 * leaseMs)];
  await database.unsyncedTransaction((tx) => tx.query(ANNOUNCE, values));
}
