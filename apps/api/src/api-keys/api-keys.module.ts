import { Module } from '@nestjs/common';

import { AccountsModule } from '../accounts/accounts.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { CollectionsModule } from '../collections/collections.module.js';
import { apiKeyCollection } from './api-key.collection.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysService } from './api-keys.service.js';
import { LastUseWriter } from './last-use-writer.js';

/** The collection of API keys. SPEC §5 */
@Module({
  imports: [AccountsModule, AuthModule, CollectionsModule.of(apiKeyCollection)],
  controllers: [ApiKeysController],
  providers: [ApiKeysService, LastUseWriter],
})
export class ApiKeysModule {}
