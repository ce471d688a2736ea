import { LastUses } from '../../credentials/secrets/last-uses.js';
import { Module } from '@nestjs/common';
import { AdminKey } from '../admin-key.js';
import { ApiKeyStrategy } from './api-key.strategy.js';
import { PageOrigins } from './page-origins.js';

@Module({
  providers: [AdminKey, ApiKeyStrategy, PageOrigins, LastUses],
  exports: [AdminKey, ApiKeyStrategy, PageOrigins, LastUses],
})
export class ApiKeyAuthModule {}
