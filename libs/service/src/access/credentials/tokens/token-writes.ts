import { AsyncLocalStorage } from 'node:async_hooks';

import { Database, type Transaction } from '../../../data/database/database.js';
import { Injectable } from '@nestjs/common';

type Write = (tx: Transaction) => Promise<void>;

interface Collected {
  readonly writes: Write[];
  readonly afterwards: (() => void)[];
}

/**
 * All that one answer of the token endpoint changes is one transaction: a used refresh token is used up only where its
 * successor is stored. oidc-provider writes one after the other, so that a failure between two of them would lose the
 * session; here its writes wait until its answer is made.
 */
@Injectable()
export class TokenWrites {
  private readonly collected = new AsyncLocalStorage<Collected>();

  constructor(private readonly database: Database) {}

  /** Writes at once in a transaction of its own, or with what else is collected. */
  async write(write: Write): Promise<void> {
    const collected = this.collected.getStore();
    if (collected === undefined) await this.database.transaction(write);
    else collected.writes.push(write);
  }

  /** Calls back when all that is collected is stored, and not at all where it is not; at once where nothing is collected. */
  afterwards(callback: () => void): void {
    const collected = this.collected.getStore();
    if (collected === undefined) callback();
    else collected.afterwards.push(callback);
  }

  /**
   * Collects what the work writes, and stores it together.
   * @param work says whether it is to be stored.
   * @throws what one of the writes throws: then none is stored.
   */
  async together(work: () => Promise<boolean>): Promise<void> {
    const collected: Collected = { writes: [], afterwards: [] };
    if (!(await this.collected.run(collected, work))) return;
    const { writes, afterwards } = collected;
    if (writes.length > 0) {
      await this.database.transaction(async (tx) => {
        for (const write of writes) await write(tx);
      });
    }
    for (const callback of afterwards) callback();
  }
}
