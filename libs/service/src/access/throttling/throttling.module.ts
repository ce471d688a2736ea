import { Quota, quotaOptions, RedisLink } from '@items/throttling';
import { Module } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import { CONFIG, type Config } from '../../runtime/config/config.js';
import { type Log, LOG } from '../../runtime/logging/log.js';
import { ConfigError } from '../../runtime/settings/config-error.js';
import { Outage } from '../../data/outages/outage.js';

@Module({
  providers: [
    {
      provide: RedisLink,
      inject: [CONFIG, LOG],
      useFactory: ({ redisUrl }: Config, log: Log) => (redisUrl === undefined ? null : redisLink(redisUrl, log)),
    },
  ],
  exports: [RedisLink],
})
export class RedisModule {}

function redisLink(url: string, log: Log): RedisLink {
  return new RedisLink(url, {
    outage: new Outage(log, 'Redis', '; quotas and wrong passwords are counted by this instance alone'),
    noSuchDatabase: () =>
      new ConfigError('REDIS_URL', 'names a database that this Redis does not have', 'redis://127.0.0.1:6379/0'),
  });
}

const throttler = ThrottlerModule.forRootAsync({
  imports: [RedisModule],
  inject: [CONFIG, RedisLink],
  useFactory: ({ rateLimit: credential, anonymousRateLimit: address }: Config, link: RedisLink | null) =>
    quotaOptions({ credential, address, link }),
});

/** The default storage of Nest's throttler would store a time stamp for each request, and never delete a key. */
@Module({ imports: [throttler], providers: [Quota], exports: [Quota] })
export class ThrottlingModule {}
