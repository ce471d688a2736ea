import { ConventionsModule } from '../../http/nest/conventions.module.js';
import { Module } from '@nestjs/common';

import { ApiKeyAuthModule } from '../auth/api-key/api-key-auth.module.js';
import { ApiKeyRemovalsService } from './api-key-removals.service.js';
import { ApplicationKeysService } from './application-keys.service.js';
import { apiKeyCollection } from './api-key.collection.js';

const rows = ConventionsModule.forFeature(apiKeyCollection);

@Module({
  imports: [ApiKeyAuthModule, rows],
  providers: [ApiKeyRemovalsService, ApplicationKeysService],
  exports: [rows, ApiKeyRemovalsService, ApplicationKeysService],
})
export class ApiKeyRowsModule {}
