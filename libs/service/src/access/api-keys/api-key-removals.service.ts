import type { AuditNote } from '../../data/definition/change-recorder.js';
import { ALL_PARENTS, type ParentKeys } from '../../data/definition/parent-keys.js';
import type { Precondition } from '../../data/collections/write-options.js';
import { type CollectionOf, InjectCollection } from '../../http/nest/collection-token.js';
import type { Transaction } from '../../data/database/database.js';
import { Injectable } from '@nestjs/common';
import { type AccountListener, CredentialListener } from '../accounts/listeners.js';
import { ApiKeyStrategy } from '../auth/api-key/api-key.strategy.js';
import { PageOrigins } from '../auth/api-key/page-origins.js';
import { apiKeyCollection, apiKeySecrets } from './api-key.collection.js';

const OF_APPLICATION = 'user_id = $1 AND client_id = $2';
const ANY_OF_APPLICATION = `SELECT id FROM api_keys WHERE ${OF_APPLICATION} LIMIT 1`;

@Injectable()
export class ApiKeyRemovalsService implements AccountListener {
  constructor(
    @InjectCollection(apiKeyCollection) private readonly keys: CollectionOf<typeof apiKeyCollection>,
    private readonly strategy: ApiKeyStrategy,
    private readonly origins: PageOrigins,
    private readonly listener: CredentialListener,
  ) {}

  /**
   * @param reachable Column values that the key must have (404 for other keys).
   * @param ofWebhooks Additions to the audit records of deleted webhooks.
   * @returns The ids of the deleted webhooks.
   */
  async removeWithin(
    tx: Transaction,
    id: string,
    precondition: Precondition,
    reachable: ParentKeys = ALL_PARENTS,
    ofWebhooks?: AuditNote,
  ): Promise<readonly string[]> {
    await this.keys.delete(tx, id, precondition, reachable);
    await apiKeySecrets.remove(tx, id);
    return this.listener.onCredentialDeletion(tx, 'key', id, ofWebhooks);
  }

  onDeletion(tx: Transaction, userId: string): Promise<void> {
    return this.removeAll(tx, 'user_id = $1', [userId]);
  }

  /** Deletes the API keys that an application created for the user. SPEC §5.3 */
  onWithdrawal(tx: Transaction, userId: string, clientId: string): Promise<void> {
    return this.removeAll(tx, OF_APPLICATION, [userId, clientId]);
  }

  onClientDeletion(tx: Transaction, clientId: string): Promise<void> {
    return this.removeAll(tx, 'client_id = $1', [clientId]);
  }

  async hasAnyOfApplication(tx: Transaction, userId: string, clientId: string): Promise<boolean> {
    return (await tx.query(ANY_OF_APPLICATION, [userId, clientId])).length > 0;
  }

  /**
   * Call this after a transaction that deletes keys. The keys stop working immediately in this process, and within
   * seconds in others.
   */
  clearCaches(): void {
    this.strategy.forget();
    this.origins.forget();
  }

  private async removeAll(tx: Transaction, condition: string, values: readonly string[]): Promise<void> {
    const keys = await tx.query<{ id: string }>(`SELECT id FROM api_keys WHERE ${condition} ORDER BY id`, values);
    for (const { id } of keys) await this.removeWithin(tx, id, undefined);
  }
}
