import { webLocks } from './one-at-a-time.js';

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
