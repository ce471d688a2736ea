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

/** The default storage of Nest's throttler stores a time stamp for each request, and never deletes a key. */
@Module({ imports: [throttler], providers: [Quota], exports: [Quota] })
export class ThrottlingModule {}
