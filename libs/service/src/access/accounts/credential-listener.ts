import type { AuditNote } from '../../data/definition/change-recorder.js';
import type { Transaction } from '../../data/database/database.js';

/** Deletes what an API key or an OAuth client created, in the transaction that deletes the credential. SPEC §6.2 */
export abstract class CredentialListener {
  /** @returns The ids of the deleted resources. */
  abstract onCredentialDeletion(
    tx: Transaction,
    kind: 'key' | 'client',
    id: string,
    note?: AuditNote,
  ): Promise<readonly string[]>;
}
