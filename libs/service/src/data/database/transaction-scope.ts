import { AsyncLocalStorage } from 'node:async_hooks';

import { type MaybePromise, isPromise } from '@items/conventions';

/** A write that began a transaction of its own inside the work of another one. */
export class NestedTransactionError extends Error {
  override readonly name = 'NestedTransactionError';

  constructor() {
    super(
      'This write would begin a transaction inside a transaction. Pass the tx of the outer one: ' +
        'insert(tx, …), update(tx, …), delete(tx, …) or tx.query(…). The outer transaction is rolled back as well.',
    );
  }
}

/** The work of a transaction. What it calls or starts finds it by its asynchronous context. */
interface Scope {
  readonly database: object;
  /** The work of a transaction of another database, in which this one was begun. */
  readonly outer: Scope | undefined;
  /** From the start of the work to its end. */
  isOpen: boolean;
  /** The first write that was refused. */
  refusal: NestedTransactionError | undefined;
}

const scopes = new AsyncLocalStorage<Scope>();

/**
 * Refuses to begin a transaction inside the work of another one of the same database. On SQLite it would wait for the
 * outer one for ever, on PostgreSQL it would be committed apart from it.
 * @param database its identity.
 * @throws {NestedTransactionError}
 */
export function requireOutside(database: object): void {
  for (let scope = scopes.getStore(); scope !== undefined; scope = scope.outer) {
    if (scope.isOpen && scope.database === database) throw (scope.refusal ??= new NestedTransactionError());
  }
}

/**
 * Runs the work of a transaction in a scope of its own.
 * @throws {NestedTransactionError} a write inside it was refused, also where the work has caught the error.
 */
export function inScope<T>(database: object, work: () => MaybePromise<T>): MaybePromise<T> {
  const outer = scopes.getStore();
  const scope: Scope = {
    database,
    outer: outer?.isOpen === true ? outer : undefined,
    isOpen: true,
    refusal: undefined,
  };
  const finish = (): void => {
    scope.isOpen = false;
    if (scope.refusal !== undefined) throw scope.refusal;
  };
  let result: MaybePromise<T>;
  try {
    result = scopes.run(scope, work);
  } catch (error) {
    finish();
    throw error;
  }
  if (isPromise(result)) {
    return Promise.resolve(result).then(
      (value) => {
        finish();
        return value;
      },
      (error: unknown) => {
        finish();
        throw error;
      },
    );
  }
  finish();
  return result;
}
