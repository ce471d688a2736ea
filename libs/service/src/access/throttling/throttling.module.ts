import { Quota, quotaOptions, RedisLink } from '@items/throttling';
import { Module } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';

import { CONFIG, type Config } from '../../runtime/config/config.js';
import { RedisModule } from './redis.module.js';

const throttler = ThrottlerModule.forRootAsync({
  imports: [RedisModule],
  inject: [CONFIG, RedisLink],
  useFactory: ({ rateLimit: credential, anonymousRateLimit: address }: Config, link: RedisLink | null) =>
    quotaOptions({ credential, address, link }),
});

/** Nest's throttler with storages of our own: its default one keeps a time stamp a request, and never forgets a key. */
@Module({ imports: [throttler], providers: [Quota], exports: [Quota] })
export class ThrottlingModule {}
