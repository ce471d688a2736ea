import { Global, Module } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';

import { CONFIG } from '../config/config.js';
import { Quota } from './quota.js';
import { quotaOptions } from './quota-options.js';

/** Nest's throttler with storages of our own: its default one keeps a time stamp a request, and never forgets a key. */
@Global()
@Module({
  imports: [ThrottlerModule.forRootAsync({ inject: [CONFIG], useFactory: quotaOptions })],
  providers: [Quota],
  exports: [Quota],
})
export class ThrottlingModule {}
