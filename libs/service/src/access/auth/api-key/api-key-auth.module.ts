import { LastUses } from '../../credentials/secrets/last-uses.js';
import { Module } from '@nestjs/common';

import { AdminKey } from '../admin-key.js';
import { ApiKeyStrategy } from './api-key.strategy.js';
import { PageOrigins } from './page-origins.js';

/** Provides the cache of API keys to authentication and to changes of keys. SPEC §5.3 */
@Module({
  providers: [AdminKey, ApiKeyStrategy, PageOrigins, LastUses],
  exports: [AdminKey, ApiKeyStrategy, PageOrigins, LastUses],
})
export class ApiKeyAuthModule {}
