import type { Account } from './account.js';

/** A user who was disabled or deleted is shut out everywhere within this time. authentication.md */
const LIFETIME_MS = 5000;
/** Accounts known at once; beyond that all are forgotten, which is cheaper than to look for the oldest. */
const CAPACITY = 10_000;

interface Entry {
  readonly account: Promise<Account | undefined>;
  readonly staleAtMs: number;
}

/** Remembers for some seconds what the database says of users, unknown ones included. */
export class AccountCache {
  private readonly entries = new Map<string, Entry>();

  /** @param lookUp asks the database. */
  constructor(private readonly lookUp: (id: string) => Promise<Account | undefined>) {}

  /** Those who ask for the same user meanwhile share one look-up. */
  get(id: string): Promise<Account | undefined> {
    const nowMs = Date.now();
    const known = this.entries.get(id);
    if (known !== undefined && known.staleAtMs > nowMs) return known.account;
    const account = this.lookUp(id);
    if (this.entries.size >= CAPACITY) this.entries.clear();
    this.entries.set(id, { account, staleAtMs: nowMs + LIFETIME_MS });
    account.catch(() => {
      if (this.entries.get(id)?.account === account) this.entries.delete(id);
    });
    return account;
  }

  /** Also a look-up on its way, which may have read what has just changed. */
  forget(id: string): void {
    this.entries.delete(id);
  }
}
