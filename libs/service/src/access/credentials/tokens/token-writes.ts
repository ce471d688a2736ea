import { AsyncLocalStorage } from 'node:async_hooks';

import { Database, type Transaction } from '../../../data/database/database.js';
import { Injectable } from '@nestjs/common';

/** @param issued hashes of all tokens that the response issues. */
type Write = (tx: Transaction, issued: readonly string[]) => Promise<void>;

interface Collected {
  readonly writes: Write[];
  readonly issued: string[];
  readonly afterwards: (() => void)[];
}

/**
 * Stores all changes of a token response in one transaction, so that a refresh token is used up only if its successor
 * is stored. oidc-provider writes them one after the other, so a failure between two writes would lose the session.
 * Here the writes wait until the response is ready.
 */
@Injectable()
export class TokenWrites {
  private readonly collected = new AsyncLocalStorage<Collected>();

  constructor(private readonly database: Database) {}

  /**
   * Writes immediately in its own transaction, or collects the write for {@link together}.
   * @param issued hash of the token that this write stores.
   */
  async write(write: Write, issued?: string): Promise<void> {
    const collected = this.collected.getStore();
    if (collected === undefined) {
      await this.database.transaction((tx) => write(tx, []));
      return;
    }
    collected.writes.push(write);
    if (issued !== undefined) collected.issued.push(issued);
  }

  /**
   * Calls back after all collected writes are stored, and never if they fail; synchronously without
   * collected writes.
   */
  afterwards(callback: () => void): void {
    const collected = this.collected.getStore();
    if (collected === undefined) callback();
    else collected.afterwards.push(callback);
  }

  /**
   * Collects the writes of the work, and stores them in one transaction.
   * @param work resolves to whether to store them.
   * @throws the error of a write; then none is stored.
   */
  async together(work: () => Promise<boolean>): Promise<void> {
    const collected: Collected = { writes: [], issued: [], afterwards: [] };
    if (!(await this.collected.run(collected, work))) return;
    const { writes, issued, afterwards } = collected;
    if (writes.length > 0) {
      await this.database.transaction(async (tx) => {
        for (const write of writes) await write(tx, issued);
      });
    }
    for (const callback of afterwards) callback();
  }
}
