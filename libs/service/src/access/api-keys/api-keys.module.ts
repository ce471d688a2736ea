import { inBackground } from '../../http/nest/in-background.js';
import { Module } from '@nestjs/common';

import { ApiKeyAuthModule } from '../auth/api-key/api-key-auth.module.js';
import { ApiKeyRowsModule } from './api-key-rows.module.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysService } from './api-keys.service.js';
import { KeyOwnersService } from './key-owners.service.js';
import { LastUseWriter } from './last-use-writer.js';

@Module({
  imports: [ApiKeyAuthModule, ApiKeyRowsModule],
  controllers: [ApiKeysController],
  providers: [ApiKeysService, KeyOwnersService, LastUseWriter, inBackground(LastUseWriter)],
  exports: [ApiKeyAuthModule],
})
export class ApiKeysModule {}
