import { ConventionsModule } from '../../http/nest/conventions.module.js';
import { Global, Module } from '@nestjs/common';

import { CredentialListener } from '../../access/accounts/listeners.js';
import { webhookCollection } from './webhook.collection.js';
import { WebhookRemovalsService } from './webhook-removals.service.js';

const rows = ConventionsModule.forFeature(webhookCollection);

@Global()
@Module({
  imports: [rows],
  providers: [WebhookRemovalsService, { provide: CredentialListener, useExisting: WebhookRemovalsService }],
  exports: [rows, WebhookRemovalsService, CredentialListener],
})
export class WebhookRowsModule {}
