import { errorLog, type Log } from '@items/logging';
import { NestLog } from '@items/logging/nest';
import { connectionReadings, maintenanceReading, requestQueueReadings } from '@items/metrics';
import { createApp, type ServedApp } from '@items/nest';
import { Maintenance } from '@items/operations';
import { DatabaseNotOpenedError } from '@items/store';
import type { Tracing } from '@items/tracing';
import type { FastifyInstance, FastifyRequest } from 'fastify';

import { AppModule } from './app.module.js';
import type { Composition } from './composition/composition.js';
import { sourceOf } from './principal/change-source.js';
import { principalOf } from './principal/request-principal.js';
import { type Config, METRIC_PREFIX } from './config/config.js';
import { databaseConfigError } from './database/database-config-error.js';
import { UNCOUNTED_PREFIXES } from './http/path-prefixes.js';
import { serviceEdge } from './http/service-edge.js';
import { countRequests, servedMetrics } from './service-metrics.js';

export type Service = ServedApp;

/**
 * The whole service, ready to listen; the same for production and tests.
 * @param tracing where there are traces.
 * @throws {ConfigError} where there is no such database, or it cannot be used.
 */
export async function createService(
  composition: Composition,
  config: Config,
  log: Log,
  tracing?: Tracing,
): Promise<ServedApp> {
  const metrics = await servedMetrics(config, log);
  const maintenance = new Maintenance(config.maintenanceSeconds, UNCOUNTED_PREFIXES);
  const edge = serviceEdge(config, log, {
    maintenance,
    onEnd: metrics && countRequests(metrics),
    traceOf: tracing && ((reply) => tracing.fieldsOf(reply)),
  });
  metrics?.add([
    ...connectionReadings(METRIC_PREFIX, edge.connections),
    ...requestQueueReadings(METRIC_PREFIX, edge.requestQueue),
    maintenanceReading(METRIC_PREFIX, maintenance),
  ]);
  const toLog = errorLog(log);
  try {
    return await createApp(
      AppModule.forRoot(composition, config, log, edge.lifecycle, {
        metrics,
        maintenance,
        observer: tracing,
        onJudged: tracing && ((beganAtMs) => tracing.onStage('guard', beganAtMs)),
      }),
      {
        server: config,
        edge,
        callerIdOf,
        originOf: sourceOf,
        credentialIdOf: ({ principal }) => principal?.credentialId ?? '',
        onError: (error, request) => {
          toLog(error, request);
          tracing?.onError(error);
        },
        onBodyRead: tracing && ((beganAtMs) => tracing.onStage('body', beganAtMs)),
        logger: new NestLog(log),
        prepare: (fastify) => {
          tracing?.install(fastify);
          withPrincipal(fastify);
        },
      },
    );
  } catch (error) {
    throw error instanceof DatabaseNotOpenedError ? databaseConfigError(error) : error;
  }
}

/** An `Idempotency-Key` is the user's, so that it survives a refresh and a new login; else the key's or the client's. */
function callerIdOf(request: FastifyRequest): string {
  const { userId, credentialId } = principalOf(request);
  return userId ?? credentialId;
}

/** Requests have a principal and an owner from their beginning, so that all of them have one form. */
export function withPrincipal(fastify: FastifyInstance): void {
  fastify.decorateRequest('principal', null);
  fastify.decorateRequest('owner', null);
}
