import type { Transaction } from './database.js';
import type { Origin } from './origin.js';

/**
 * Work of a transaction whose changes are made by somebody; without it they are the service's own.
 * @example
 * await database.transaction(by(origin, (tx) => books.delete(tx, id, precondition)));
 */
export function by<More extends readonly unknown[], Result>(
  origin: Origin | undefined,
  work: (tx: Transaction, ...more: More) => Result,
): (tx: Transaction, ...more: More) => Result {
  return (tx, ...more) => {
    if (origin !== undefined) tx.origin = origin;
    return work(tx, ...more);
  };
}
