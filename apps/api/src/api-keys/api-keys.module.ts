import { ConventionsModule, inBackground } from '@items/nest';
import { Module } from '@nestjs/common';

import { ApiKeyAuthModule } from '../auth/api-key/api-key-auth.module.js';
import { WebhookRowsModule } from '../webhooks/webhook-rows.module.js';
import { apiKeyCollection } from './api-key.collection.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysService } from './api-keys.service.js';
import { LastUseWriter } from './last-use-writer.js';

/** The collection of API keys. SPEC §5 */
@Module({
  imports: [ApiKeyAuthModule, WebhookRowsModule, ConventionsModule.forFeature(apiKeyCollection)],
  controllers: [ApiKeysController],
  providers: [ApiKeysService, LastUseWriter, inBackground(LastUseWriter)],
  exports: [ApiKeyAuthModule, ApiKeysService],
})
export class ApiKeysModule {}
