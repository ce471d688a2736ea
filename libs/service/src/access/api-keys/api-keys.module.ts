import { Module } from '@nestjs/common';
import { inBackground } from '../../http/nest/in-background.js';
import { ApiKeyAuthModule } from '../auth/api-key/api-key-auth.module.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysService } from './api-keys.service.js';
import { KeyOwnersService } from './key-owners.service.js';
import { LastUseWriter } from './last-use-writer.js';
import { ConventionsModule } from '../../http/nest/conventions.module.js';
import { ApiKeyRemovalsService } from './api-key-removals.service.js';
import { apiKeyCollection } from './api-key.collection.js';

const rows = ConventionsModule.forFeature(apiKeyCollection);

@Module({
  imports: [ApiKeyAuthModule, rows],
  providers: [ApiKeyRemovalsService],
  exports: [rows, ApiKeyRemovalsService],
})
export class ApiKeyRowsModule {}

@Module({
  imports: [ApiKeyAuthModule, ApiKeyRowsModule],
  controllers: [ApiKeysController],
  providers: [ApiKeysService, KeyOwnersService, LastUseWriter, inBackground(LastUseWriter)],
  exports: [ApiKeyAuthModule],
})
export class ApiKeysModule {}
