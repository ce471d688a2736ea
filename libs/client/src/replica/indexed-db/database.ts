/**
 * Object stores of a transaction. Await only `result` inside: IndexedDB commits the transaction during any other wait.
 */
export interface Transaction {
  readonly rows: IDBObjectStore;
  readonly state: IDBObjectStore;
  readonly result: <T>(request: IDBRequest<T>) => Promise<T>;
}

/** @throws {DOMException} IndexedDB is disabled, or its files cannot be read. */
export async function openDatabase(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore('rows');
    request.result.createObjectStore('state');
  };
  return resultOf(request);
}

/**
 * @throws {DOMException} Such as `QuotaExceededError`.
 * @throws The error of `run`. In both cases nothing is stored.
 */
export async function inTransaction<T>(
  database: IDBDatabase,
  run: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const transaction = database.transaction(['rows', 'state'], 'readwrite');
  const ended = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () =>
      reject(transaction.error ?? new DOMException('The transaction was aborted', 'AbortError'));
  });
  const [rows, state] = [transaction.objectStore('rows'), transaction.objectStore('state')];
  const [outcome] = await Promise.allSettled([
    run({ rows, state, result: resultOf }).catch((error: unknown) => {
      abort(transaction);
      throw error;
    }),
  ]);
  await ended.catch((error: unknown) => {
    throw outcome.status === 'rejected' ? outcome.reason : error;
  });
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}

function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {
    // The transaction has already ended.
  }
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('IndexedDB failed'));
  });
}
