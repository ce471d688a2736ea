import type { AuditNote } from '../../data/definition/change-recorder.js';
import type { Transaction } from '../../data/database/database.js';
import { type CollectionOf, InjectCollection } from '../../http/nest/collection-token.js';
import { ConventionsModule } from '../../http/nest/conventions.module.js';
import { Global, Injectable, Module } from '@nestjs/common';

import { type AccountListener, CredentialListener } from '../../access/accounts/listeners.js';
import { removeWebhook } from '../definition/webhook-state.js';
import { webhookCollection } from './webhook.collection.js';

/** Deletes webhooks in the transaction that deletes their creator: a user, key or client. SPEC §6.2 */
@Injectable()
export class WebhookRemovalsService implements AccountListener, CredentialListener {
  constructor(@InjectCollection(webhookCollection) private readonly webhooks: CollectionOf<typeof webhookCollection>) {}

  async onDeletion(tx: Transaction, userId: string): Promise<void> {
    await this.remove(tx, 'user_id', userId);
  }

  /** A client loses only webhooks that it created for itself, not for a user. @returns the ids of these webhooks. */
  onCredentialDeletion(
    tx: Transaction,
    kind: 'key' | 'client',
    id: string,
    note?: AuditNote,
  ): Promise<readonly string[]> {
    return this.remove(tx, `${kind}_id`, id, note);
  }

  private async remove(tx: Transaction, column: string, of: string, note?: AuditNote): Promise<readonly string[]> {
    const made = await tx.query<{ id: string }>(`SELECT id FROM webhooks WHERE ${column} = $1`, [of]);
    for (const { id } of made) await removeWebhook(tx, this.webhooks, id, note);
    return made.map(({ id }) => id);
  }
}

const rows = ConventionsModule.forFeature(webhookCollection);

@Global()
@Module({
  imports: [rows],
  providers: [WebhookRemovalsService, { provide: CredentialListener, useExisting: WebhookRemovalsService }],
  exports: [rows, WebhookRemovalsService, CredentialListener],
})
export class WebhookRowsModule {}
