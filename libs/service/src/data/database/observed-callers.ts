import type { DatabaseObserver } from './database-observer.js';
import type { SqlValue, Transaction } from './database.js';

/** `enter` restores the asynchronous context of the caller. */
export interface InContext<Item> {
  readonly item: Item;
  readonly enter: (<Result>(work: () => Result) => Result) | undefined;
}

export function runIn<Result>(enter: InContext<unknown>['enter'], work: () => Result): Result {
  return enter === undefined ? work() : enter(work);
}

/**
 * Reports the statements of a shared batch in the traces of all `callers`. The batch itself runs in the context of its
 * first caller.
 */
export function observedBy(
  callers: readonly InContext<unknown>[],
  tx: Transaction,
  observer: DatabaseObserver,
): Transaction {
  return {
    isAutocommit: tx.isAutocommit === true,
    savepoint: (work) => tx.savepoint(work),
    query: async <Row>(sql: string, params?: readonly SqlValue[]) => {
      const beganAtMs = performance.now();
      try {
        return await tx.query<Row>(sql, params);
      } finally {
        for (const { enter } of callers) {
          runIn(enter, () => {
            observer.onStatement(sql, beganAtMs);
          });
        }
      }
    },
  };
}
