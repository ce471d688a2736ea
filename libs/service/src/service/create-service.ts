import { errorLog } from '../runtime/logging/error-log.js';
import type { Log } from '../runtime/logging/log.js';
import { NestLog } from '../runtime/logging/nest-log.js';
import { edgeReadings } from '../runtime/metrics/service-readings.js';
import { createApp, type CreateApplication, type ServedApp } from '../http/nest/create-app.js';
import { Maintenance } from '../runtime/maintenance/maintenance-gate.js';
import type { Database } from '../data/database/database.js';
import { DatabaseNotOpenedError } from '../data/database/initialized.js';
import type { Tracing } from '../runtime/tracing/tracing.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AccessTable } from '../access/auth/access-table.js';
import { RouteRules } from '../access/auth/route-rules.js';
import { AuthStrategies } from '../access/auth/strategies/auth-strategies.js';
import { AppModule } from './app.module.js';
import { requireSoundNames } from './composition/collection-names.js';
import { type Composition, permissionsOf } from './composition/composition.js';
import { sourceOf, principalOf } from '../access/principal/request-principal.js';
import { enumOverridesOf } from '../access/principal/permissions.js';
import type { Config } from '../runtime/config/config.js';
import { UNCOUNTED_PREFIXES } from '../access/exchange/path-prefixes.js';
import { serviceEdge } from './edge/service-edge.js';
import { countRequests, servedMetrics } from './service-metrics.js';
import { ConfigError } from '../runtime/settings/config-error.js';

export type Service = ServedApp;

/**
 * @param tracing present if tracing is enabled.
 * @throws {ConfigError} the database does not exist or is not usable.
 */
export async function createService(
  composition: Composition,
  config: Config,
  log: Log,
  tracing?: Tracing,
  create?: CreateApplication,
): Promise<ServedApp> {
  for (const notice of config.notices) log.warn({}, notice);
  requireSoundNames(composition.modules.map(({ collection }) => collection));
  const permissions = permissionsOf(composition);
  const access = new AccessTable(composition.access);
  const strategies = new AuthStrategies(config, composition.auth?.strategies);
  const metrics = await servedMetrics(config, log);
  const maintenance = new Maintenance(config.maintenanceSeconds, UNCOUNTED_PREFIXES);
  const edge = serviceEdge(config, log, {
    ownHeaders: strategies.ownHeaders,
    isUpgradable: (path) => access.ruleOf('UPGRADE', path) !== undefined,
    maintenance,
    onEnd: metrics && countRequests(metrics),
    traceOf: tracing && ((reply) => tracing.fieldsOf(reply)),
  });
  metrics?.add(edgeReadings(edge, maintenance));
  const toLog = errorLog(log);
  let opened: Database | undefined;
  try {
    const served = await createApp(
      AppModule.forRoot(composition, config, log, edge.lifecycle, {
        permissions,
        strategies,
        accessTable: access,
        metrics,
        maintenance,
        observer: tracing,
        onOpened: (database) => (opened = database),
        onChecked: tracing && ((beganAtMs) => tracing.onStage('access', beganAtMs)),
      }),
      {
        server: config,
        create,
        edge,
        callerIdOf,
        originOf: sourceOf,
        onError: (error, request) => {
          toLog(error, request);
          tracing?.onError(error);
        },
        onBodyRead: tracing && ((beganAtMs) => tracing.onStage('body', beganAtMs)),
        logger: new NestLog(log, strategies.ownHeaders),
        prepare: (fastify) => {
          tracing?.install(fastify);
          withPrincipal(fastify);
          new RouteRules(permissions, access, edge.upgrades).install(fastify);
          fastify.decorate('enumOverrides', enumOverridesOf(permissions));
        },
      },
    );
    const stop: ServedApp['stop'] = async (times) => {
      try {
        await served.stop(times);
      } finally {
        await metrics?.close();
      }
    };
    return { ...served, stop };
  } catch (error) {
    await metrics?.close();
    await opened?.close();
    throw error instanceof DatabaseNotOpenedError ? databaseConfigError(error) : error;
  }
}

/**
 * Owner of an `Idempotency-Key`: the user, or else the credential. The key of a user survives a token refresh and a new
 * login.
 */
function callerIdOf(request: FastifyRequest): string {
  const { userId, credentialId } = principalOf(request);
  return userId ?? credentialId;
}

/**
 * Declares the properties of requests that the access hook sets. V8 is faster if all request objects have the same
 * properties from the start.
 */
export function withPrincipal(fastify: FastifyInstance): void {
  fastify.decorateRequest('principal', null);
  fastify.decorateRequest('owner', null);
}

function databaseConfigError({ message, isOfMigrations }: DatabaseNotOpenedError): ConfigError {
  const problem = `names a database that cannot be opened (${message})`;
  return isOfMigrations
    ? new ConfigError('MIGRATION_DATABASE_URL', problem, 'postgres://user:password@host:5432/items')
    : new ConfigError('DATABASE_URL', problem, 'sqlite:data/items.sqlite');
}
