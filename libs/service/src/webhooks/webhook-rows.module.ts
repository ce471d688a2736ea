import { ConventionsModule } from '../nest/conventions.module.js';
import { Module } from '@nestjs/common';

import { webhookCollection } from './webhook.collection.js';
import { WebhookRemovalsService } from './webhook-removals.service.js';

const rows = ConventionsModule.forFeature(webhookCollection);

/** What those need who hold credentials by which webhooks were made. SPEC §6.2 */
@Module({
  imports: [rows],
  providers: [WebhookRemovalsService],
  exports: [rows, WebhookRemovalsService],
})
export class WebhookRowsModule {}
