import { BackgroundPruning } from '../data/writes/background-pruning.js';
import { ClockWatch } from '../data/writes/clock-watch.js';
import { AccessTokenCache } from '../access/credentials/tokens/access-token-cache.js';
import type { EndedAnswer } from '../runtime/logging/access-log.js';
import type { Log } from '../runtime/logging/log.js';
import { Metrics } from '../runtime/metrics/metrics.js';
import { InstancesModule, InstanceWatch } from '../runtime/instances/instance-watch.js';
import { readings } from '../runtime/metrics/readings.js';
import {
  cacheReading,
  databaseReadings,
  pruningReadings,
  quotaReading,
  redisReadings,
  standbyReadings,
} from '../runtime/metrics/service-readings.js';
import { listening } from '../runtime/supervision/fail-start.js';
import { Database } from '../data/database/database.js';
import { StandbyReads } from '../data/standbys/standby-reads.js';
import { Quota, RedisLink } from '@items/throttling';
import {
  type DynamicModule,
  Inject,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { Accounts } from '../access/accounts/accounts.js';
import { AccountsModule } from '../access/accounts/accounts.module.js';
import { ApiKeysModule } from '../access/api-keys/api-keys.module.js';
import { ApiKeyStrategy } from '../access/auth/api-key/api-key.strategy.js';
import type { Config } from '../runtime/config/config.js';
import { ClientRegistry } from '../access/oauth/clients/client-registry.js';
import { OauthModule } from '../access/oauth/oauth.module.js';
import { RedisModule, ThrottlingModule } from '../access/throttling/throttling.module.js';
import { AttemptCounts } from '../webhooks/routes/attempt-counts.js';

export async function servedMetrics(
  { metricsPort: port, host, serviceName }: Config,
  log: Log,
): Promise<Metrics | undefined> {
  if (port === undefined) return undefined;
  const metrics = new Metrics(serviceName);
  try {
    await listening('METRICS_PORT', metrics.serve({ port, host }, log));
    return metrics;
  } catch (error) {
    await metrics.close();
    throw error;
  }
}

/** Adds metrics of the service, and closes the metrics server on shutdown. docs/metrics.md lists all metrics. */
@Module({ imports: [InstancesModule, ThrottlingModule, RedisModule, AccountsModule, ApiKeysModule, OauthModule] })
export class ServiceMetricsModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    private readonly metrics: Metrics,
    database: Database,
    @Inject(StandbyReads) standbys: StandbyReads | null,
    pruning: BackgroundPruning,
    clocks: ClockWatch,
    instances: InstanceWatch,
    quota: Quota,
    @Inject(RedisLink) redis: RedisLink | null,
    accounts: Accounts,
    keys: ApiKeyStrategy,
    clients: ClientRegistry,
    tokens: AccessTokenCache,
    attempts: AttemptCounts,
  ) {
    metrics.add([
      ...databaseReadings(() => database.use()),
      ...(standbys === null ? [] : standbyReadings(() => standbys.use)),
      ...pruningReadings(() => pruning.states),
      ...readings({
        clock_ahead_seconds: [
          'Lead of the latest change in the database over the clock of this machine, in seconds.',
          () => clocks.aheadSeconds,
        ],
        backup_timestamp_seconds: [
          'Time of the latest backup by npm run admin, in seconds since 1970.',
          () => instances.backupMadeAt && instances.backupMadeAt / 1000,
        ],
      }),
      cacheReading({ accounts, api_keys: keys, clients, tokens }),
      quotaReading(quota),
      ...(redis === null ? [] : redisReadings(redis)),
      ...readings({
        webhook_attempts_total: [
          'Attempts to send an event to a webhook.',
          'result',
          () => Object.entries({ succeeded: attempts.succeeded, failed: attempts.failed }),
        ],
      }),
    ]);
  }

  /** @param metrics already served, so that a long start is visible. */
  static of(metrics: Metrics, webhooks: DynamicModule): DynamicModule {
    return { module: ServiceMetricsModule, imports: [webhooks], providers: [{ provide: Metrics, useValue: metrics }] };
  }

  onApplicationBootstrap(): void {
    this.metrics.started();
  }

  onApplicationShutdown(): Promise<void> {
    return this.metrics.close();
  }
}

export function countRequests({ requests }: Metrics): (ended: EndedAnswer) => void {
  return ({ reply, route, isComplete, durationMs }) => {
    // `principal` is undefined if the router could not read the request.
    const { principal }: Partial<FastifyRequest> = reply.request;
    requests.count({
      method: reply.request.method,
      route,
      status: isComplete ? reply.statusCode : undefined,
      credential: principal?.kind,
      seconds: durationMs / 1000,
    });
  };
}
