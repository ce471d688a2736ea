import { ServiceUnavailableError } from '@items/conventions';
import type { Database } from '../database/database.js';

const ANNOUNCE = `UPDATE collection_lanes SET walks_until = max(seq, $2) + $3
  WHERE collection = $1 AND walks_until < max(seq, $2) + $3 / 2`;
/** So many times as long is each lease for which the one before was too short. */
const LONGER = 8;

/**
 * Tells those who write on SQLite that walks may begin, from now on and for as long as the lease: until then they keep what
 * they replace. It need not be on the disk: after a loss of power, the start says that walks may have begun.
 */
export async function announceWalks(database: Database, collection: string, leaseMs: number): Promise<void> {
  await database.relaxedTransaction((tx) =>
    // The time is asked for here: until now, another process may have been waited for.
    tx.query(ANNOUNCE, [collection, 1000 * Date.now(), Math.ceil(1000 * leaseMs)]),
  );
}

/** The announcements of one collection: walks that begin while one is under way wait for that one. */
export class WalkAnnouncer {
  private underWay: Promise<boolean> | undefined;

  constructor(
    private readonly database: Database,
    private readonly collection: string,
    private readonly leaseMs: number,
  ) {}

  /**
   * The caller then reads again whether walks are announced.
   * @param before how often it was done and was over again until the caller read, as where a commit takes longer than a lease.
   * @returns false where nothing can be written.
   */
  announce(before = 0): Promise<boolean> {
    this.underWay ??= this.tell(this.leaseMs * LONGER ** before).finally(() => {
      this.underWay = undefined;
    });
    return this.underWay;
  }

  private async tell(leaseMs: number): Promise<boolean> {
    try {
      await announceWalks(this.database, this.collection, leaseMs);
      return true;
    } catch (error) {
      if (error instanceof ServiceUnavailableError) return false;
      throw error;
    }
  }
}
