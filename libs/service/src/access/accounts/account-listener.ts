import type { Transaction } from '../../data/database/database.js';

/** A change of a user. */
export interface AccountChange {
  readonly kind: 'profile' | 'password' | 'disabled' | 'enabled' | 'role' | 'identity' | 'deleted';
  /** The credential that made a change of its own password: of all sessions, it alone lives on. */
  readonly keptCredentialId?: string;
}

/** Receives changes of users. The users' module collects all listeners. */
export interface AccountListener {
  /** Deletes what is the user's, in the transaction that deletes the user. */
  onDeletion?(tx: Transaction, userId: string): Promise<void>;
  /** Called after the change was committed, in this process, and before it is answered. */
  onChange?(userId: string, change: AccountChange): void | Promise<void>;
}
