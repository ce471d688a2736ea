const queues = new Map<string, Promise<unknown>>();

/** Runs functions with the same name one after another: across tabs with Web Locks, otherwise within this process. */
export async function oneAtATime<T>(name: string, run: () => Promise<T>): Promise<T> {
  const locks = webLocks();
  if (locks !== undefined) return locks.request(name, run);
  const turn = (queues.get(name) ?? Promise.resolve()).then(run);
  const settled = turn.catch(() => undefined);
  queues.set(name, settled);
  return turn;
}

/** Returns undefined on platforms without Web Locks, where only one process uses a login. */
export function webLocks(): LockManager | undefined {
  return (Reflect.get(globalThis, 'navigator') as { readonly locks?: LockManager } | undefined)?.locks;
}
