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

const POLL_MS = 20;
const PATIENCE_MS = 2000;

/**
 * Shows other tabs, by a lock, which refresh token is used up. Other tabs see a lock immediately, but new tokens in the
 * storage a little later. Without the lock they could use the old token again, which ends the login.
 */
export class UsedUp {
  private release = (): void => undefined;

  constructor(private readonly key: string) {}

  /** Acquires the lock of this token, and releases the lock of the previous token. */
  async mark(token: string): Promise<void> {
    const locks = webLocks();
    if (locks === undefined) return;
    this.release();
    await new Promise<void>((marked) => {
      void locks.request(this.nameOf(token), () => {
        marked();
        return new Promise<void>((resolve) => (this.release = resolve));
      });
    });
  }

  /** Reads the storage until it has an unused refresh token, for at most two seconds. */
  async fresh<Tokens extends { readonly refresh: string | undefined }>(
    read: () => Tokens | undefined,
  ): Promise<Tokens | undefined> {
    const lastAtMs = Date.now() + PATIENCE_MS;
    let tokens = read();
    while (tokens?.refresh !== undefined && Date.now() < lastAtMs && (await this.has(tokens.refresh))) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      tokens = read();
    }
    return tokens;
  }

  private async has(token: string): Promise<boolean> {
    const { held = [] } = (await webLocks()?.query()) ?? {};
    return held.some(({ name }) => name === this.nameOf(token));
  }

  private nameOf(token: string): string {
    return `${this.key} used ${token}`;
  }
}

/** Returns undefined on platforms without Web Locks, where only one process uses a login. */
function webLocks(): LockManager | undefined {
  return (Reflect.get(globalThis, 'navigator') as { readonly locks?: LockManager } | undefined)?.locks;
}
