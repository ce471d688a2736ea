import { Module } from '@nestjs/common';

import { AdminKey } from '../admin-key.js';
import { ApiKeyAuthenticator } from './api-key-authenticator.js';
import { KeyOrigins } from './key-origins.js';
import { LastUses } from './last-uses.js';

/** What is remembered of API keys, for who judges them and for who changes them. SPEC §5.3 */
@Module({
  providers: [AdminKey, ApiKeyAuthenticator, KeyOrigins, LastUses],
  exports: [ApiKeyAuthenticator, KeyOrigins, LastUses],
})
export class ApiKeyAuthModule {}
