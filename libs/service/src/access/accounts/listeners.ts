import type { Transaction } from '../../data/database/database.js';
import type { AuditNote } from '../../data/definition/change-recorder.js';

export interface AccountChange {
  readonly kind: 'profile' | 'password' | 'disabled' | 'enabled' | 'role' | 'identity' | 'deleted';
  /** Id of the credential that changed the password. The session of this credential does not end. */
  readonly keptCredentialId?: string;
}

export interface AccountListener {
  /** Deletes the rows of the user in the transaction that deletes the user. */
  onDeletion?(tx: Transaction, userId: string): Promise<void>;
  /** Called in this process after the commit and before the response. */
  onChange?(userId: string, change: AccountChange): void | Promise<void>;
}

/**
 * Deletes resources created by an API key or OAuth client, in the transaction that deletes the credential. SPEC §6.2
 */
export abstract class CredentialListener {
  abstract onCredentialDeletion(
    tx: Transaction,
    kind: 'key' | 'client',
    id: string,
    note?: AuditNote,
  ): Promise<readonly string[]>;
}
