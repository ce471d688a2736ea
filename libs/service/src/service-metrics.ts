import { BackgroundPruning } from './collections/background-pruning.js';
import { AccessTokenCache } from './credentials/tokens/access-token-cache.js';
import type { EndedAnswer } from './logging/access-log.js';
import type { Log } from './logging/log.js';
import { cacheReading } from './metrics/cache-reading.js';
import { databaseReadings } from './metrics/database-readings.js';
import { Metrics } from './metrics/metrics.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { pruningReadings } from './metrics/pruning-readings.js';
import { quotaReading, redisReadings } from './metrics/throttling-readings.js';
import { type Reading } from './metrics/readings.js';
import { replicaReadings } from './metrics/replica-readings.js';
import { listening } from './supervision/fail-start.js';
import { Database } from './store/database/database.js';
import { ReadReplicas } from './store/replicas/read-replicas.js';
import { Quota, RedisLink } from '@items/throttling';
import type { DynamicModule } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { Accounts } from './accounts/accounts.js';
import { AccountsModule } from './accounts/accounts.module.js';
import { ApiKeysModule } from './api-keys/api-keys.module.js';
import { ApiKeyStrategy } from './auth/api-key/api-key.strategy.js';
import { type Config, METRIC_PREFIX } from './config/config.js';
import { ClientRegistry } from './oauth/clients/client-registry.js';
import { OauthModule } from './oauth/oauth.module.js';
import { RedisModule } from './throttling/redis.module.js';
import { ThrottlingModule } from './throttling/throttling.module.js';
import { AttemptCounts } from './webhooks/attempt-counts.js';

/** Serves metrics, where the settings say so, from the beginning of the start. */
export async function servedMetrics({ metricsPort: port, host }: Config, log: Log): Promise<Metrics | undefined> {
  if (port === undefined) return undefined;
  const metrics = new Metrics(METRIC_PREFIX);
  try {
    await listening('METRICS_PORT', metrics.serve({ port, host }, log));
    return metrics;
  } catch (error) {
    await metrics.close();
    throw error;
  }
}

/** What the service tells of itself; docs/metrics.md lists it. */
export function serviceMetrics(metrics: Metrics, webhooks: DynamicModule): DynamicModule {
  return MetricsModule.forRootAsync({
    imports: [ThrottlingModule, RedisModule, AccountsModule, ApiKeysModule, OauthModule, webhooks],
    inject: [
      ...[Database, ReadReplicas, BackgroundPruning, Quota, RedisLink],
      ...[Accounts, ApiKeyStrategy, ClientRegistry, AccessTokenCache, AttemptCounts],
    ],
    useFactory: (
      database: Database,
      replicas: ReadReplicas | null,
      pruning: BackgroundPruning,
      quota: Quota,
      redis: RedisLink | null,
      accounts: Accounts,
      keys: ApiKeyStrategy,
      clients: ClientRegistry,
      tokens: AccessTokenCache,
      attempts: AttemptCounts,
    ) => ({
      metrics,
      readings: [
        ...databaseReadings(METRIC_PREFIX, () => database.use()),
        ...(replicas === null ? [] : replicaReadings(METRIC_PREFIX, () => replicas.use)),
        ...pruningReadings(METRIC_PREFIX, () => pruning.states),
        cacheReading(METRIC_PREFIX, { accounts, api_keys: keys, clients, tokens }),
        quotaReading(METRIC_PREFIX, quota),
        ...(redis === null ? [] : redisReadings(METRIC_PREFIX, redis)),
        attemptReading(attempts),
      ],
    }),
  });
}

function attemptReading(counts: AttemptCounts): Reading {
  return {
    type: 'counter',
    name: `${METRIC_PREFIX}_webhook_attempts_total`,
    help: 'Attempts to send an event to a webhook.',
    labels: ['result'],
    read: () => (['succeeded', 'failed'] as const).map((result) => ({ labels: { result }, value: counts[result] })),
  };
}

/** Counts each request that is over by what few values say of it. */
export function countRequests({ requests }: Metrics): (ended: EndedAnswer) => void {
  return ({ reply, route, isComplete, durationMs }) => {
    // Absent on the requests that the router could not read.
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
