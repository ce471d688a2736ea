import { LastUses } from '../../credentials/secrets/last-uses.js';
import { Module } from '@nestjs/common';

import { AdminKey } from '../admin-key.js';
import { ApiKeyAuthenticator } from './api-key-authenticator.js';
import { PageOrigins } from './page-origins.js';

/** What is remembered of API keys, for who judges them and for who changes them. SPEC §5.3 */
@Module({
  providers: [AdminKey, ApiKeyAuthenticator, PageOrigins, LastUses],
  exports: [ApiKeyAuthenticator, PageOrigins, LastUses],
})
export class ApiKeyAuthModule {}
