const POLL_MS = 20;
const PATIENCE_MS = 2000;

/**
 * Tells other tabs which refresh token was used up. A tab sees a lock at once, and what another tab has written to the storage a
 * little later: with what it still reads there it would use the token twice, which ends the login.
 */
export class UsedUp {
  private release = (): void => undefined;

  /** @param key of the login. */
  constructor(private readonly key: string) {}

  /** Holds a lock for the token; only the last one is remembered. */
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

  /** Reads until there is a token that no tab has used up; for two seconds at most. */
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

/** Undefined where there are none: there, all who share a login are in this process. */
export function webLocks(): LockManager | undefined {
  return (Reflect.get(globalThis, 'navigator') as { readonly locks?: LockManager } | undefined)?.locks;
}
