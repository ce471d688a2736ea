import { AsyncLocalStorage } from 'node:async_hooks';
import { type MaybePromise, isPromise } from '@items/conventions';

export class NestedTransactionError extends Error {
  override readonly name = 'NestedTransactionError';

  constructor() {
    super(
      'This write would begin a transaction inside a transaction. Pass the tx of the outer one: ' +
        'insert(tx, …), update(tx, …), delete(tx, …) or tx.query(…). The outer transaction is rolled back as well.',
    );
  }
}

interface Scope {
  readonly database: object;
  readonly outer: Scope | undefined;
  isOpen: boolean;
  refusal: NestedTransactionError | undefined;
}

const scopes = new AsyncLocalStorage<Scope>();

/**
 * Refuses a transaction inside another one of the same database. The inner transaction would wait forever on SQLite,
 * and commit separately on PostgreSQL.
 */
export function requireOutside(database: object): void {
  for (let scope = scopes.getStore(); scope !== undefined; scope = scope.outer) {
    if (scope.isOpen && scope.database === database) throw (scope.refusal ??= new NestedTransactionError());
  }
}

/**
 * @throws {NestedTransactionError} The work tried to begin a nested transaction. Thrown even if the work has caught the
 * error.
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
