import { AsyncLocalStorage } from 'node:async_hooks';
import { Database, type Transaction } from '../../../data/database/database.js';
import { Injectable } from '@nestjs/common';

/** @param issued Hashes of all tokens that the response issues. */
type Write = (tx: Transaction, issued: readonly string[]) => Promise<void>;

interface Collected {
  readonly writes: Write[];
  readonly issued: string[];
  readonly afterwards: (() => void)[];
}

/**
 * Stores all changes of a token response in one transaction. oidc-provider writes each change separately. A failure in
 * between would use up a refresh token without storing its successor.
 */
@Injectable()
export class TokenWrites {
  private readonly collected = new AsyncLocalStorage<Collected>();

  constructor(private readonly database: Database) {}

  /**
   * Inside {@link together}, collects the write. Otherwise, writes immediately.
   * @param issued Hash of the token that this write stores.
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

  /** Calls back after all collected writes are stored. Outside {@link together}, calls back synchronously. */
  afterwards(callback: () => void): void {
    const collected = this.collected.getStore();
    if (collected === undefined) callback();
    else collected.afterwards.push(callback);
  }

  /**
   * Stores the writes of `work` in one transaction, if `work` resolves to true.
   * @throws The error of a write. Then no write is stored.
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
