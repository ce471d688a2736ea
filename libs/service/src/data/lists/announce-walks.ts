import { ServiceUnavailableError } from '@items/conventions';
import type { Database } from '../database/database.js';

const ANNOUNCE = `UPDATE collection_lanes SET walks_until = max(seq, $2) + $3
  WHERE collection = $1 AND walks_until < max(seq, $2) + $3 / 2`;
/** Each further attempt takes a longer lease, in case the commit outlasted the previous lease. */
const LEASE_FACTOR = 8;

/**
 * Announces all walks until the lease ends, so that writers on SQLite save replaced rows. The commit does
 * not wait for the disk, because each start of a process announces all walks again (see schema/walks-until.ts).
 */
export async function announceWalks(database: Database, collection: string, leaseMs: number): Promise<void> {
  await database.relaxedTransaction((tx) =>
    // Reads the time inside the transaction, because its BEGIN may have waited for another process.
    tx.query(ANNOUNCE, [collection, 1000 * Date.now(), Math.ceil(1000 * leaseMs)]),
  );
}

export class WalkAnnouncer {
  private pending: Promise<boolean> | undefined;

  constructor(
    private readonly database: Database,
    private readonly collection: string,
    private readonly leaseMs: number,
  ) {}

  /**
   * Announces the start of a walk. The caller then reads again.
   * @param attempts Number of earlier announcements.
   * @returns False if the database is unavailable.
   */
  announce(attempts = 0): Promise<boolean> {
    this.pending ??= this.tryAnnounce(this.leaseMs * LEASE_FACTOR ** attempts).finally(() => {
      this.pending = undefined;
    });
    return this.pending;
  }

  private async tryAnnounce(leaseMs: number): Promise<boolean> {
    try {
      await announceWalks(this.database, this.collection, leaseMs);
      return true;
    } catch (error) {
      if (error instanceof ServiceUnavailableError) return false;
      throw error;
    }
  }
}
