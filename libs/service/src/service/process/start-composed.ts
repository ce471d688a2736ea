import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import 'reflect-metadata';
import '@nestjs/core';
import type { CreateApplication } from '../../http/nest/create-app.js';
import { reportReadiness } from '../../runtime/health-server/report-readiness.js';
import { serveHealth, type HealthOptions } from '../../runtime/health-server/serve-health.js';
import { serveStart, type StartOptions } from '../../runtime/health-server/serve-start.js';
import { Lifecycle } from '../../http/connections/lifecycle.js';
import type { Stop } from '../../http/edge/edge.js';
import { STOP_AFTER_DELAY_MS, stopTimes, type StopTimes } from '../../http/connections/shutdown.js';
import { instanceName, stdoutLog, type Log } from '../../runtime/logging/log.js';
import { type EndingPlan, endWithProcess } from '../../runtime/supervision/ending.js';
import { listening, startError } from '../../runtime/supervision/fail-start.js';
import type { OwnTracing } from '../../runtime/tracing/start-tracing.js';
import { AdminKey } from '../../access/auth/admin-key.js';
import { resolveModules } from '../collections/collection-features.js';
import { composed } from '../collections/composed.js';
import {
  type ComposedOptions,
  permissionsOf,
  type RunningService,
  type ServiceOptions,
} from '../composition/composition.js';
import type { Config } from '../../runtime/config/config.js';
import { loadConfig, readEnvironment } from '../../runtime/config/load-config.js';
import { createService } from '../create-service.js';
import { HealthController } from '../health/health.controller.js';
import { checkedApp } from './checked-app.js';
import { warmUpService } from './warm-up.js';
import type { FastifyListenOptions } from 'fastify';
import { MAX_UNACCEPTED } from '../../http/limits.js';

const IN_MEMORY = 'sqlite::memory:';
/** For temporary services, faults and failed starts. A connection is idle only some time after its response. */
const IMMEDIATE_STOP: StopTimes = { refuseNew: 0, closeIdle: 50, endHanging: 2_000, cut: 3_000 };
const TEMPORARY_SETTINGS = { STOP_DELAY: '0', WARM_UP_MS: '0' };
/** Maximum time from cutting the last connection to the exit of the process. */
const CLOSE_LIMIT_MS = 700;
/** Stop quickly, because the state is unreliable after a fault. */
const ON_FAULT: EndingPlan = { times: IMMEDIATE_STOP, limitMs: 4_000 };

export interface TestStart {
  readonly create?: CreateApplication | undefined;
}

/** @param test given for a service that a test starts. It has no warm-up, and stops without waiting for clients. */
export async function startComposed(
  { settings = {}, signals = true, configure, ...parts }: ServiceOptions | ComposedOptions,
  test?: TestStart,
): Promise<RunningService> {
  // Written files contain secrets, so only this user may read them.
  if (signals) process.umask(0o077);
  const env = { ...readEnvironment(), ...settings };
  const folder = env['DATABASE_URL'] === IN_MEMORY ? await mkdtemp(join(tmpdir(), 'items-service-')) : undefined;
  const isTemporary = folder !== undefined || test !== undefined;
  let closeHealth: (() => Promise<unknown>) | undefined;
  let endStart: (() => Promise<void>) | undefined;
  let stopServing: Stop | undefined;
  let stopTracing: (() => Promise<void>) | undefined;
  const beganAtMs = signals ? 0 : performance.now();
  const discard = async (): Promise<void> => {
    await endStart?.();
    await stopTracing?.();
    await closeHealth?.();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  };
  try {
    if (!('composition' in parts)) await resolveModules(parts.modules ?? []);
    const composition = 'composition' in parts ? parts.composition : composed(parts);
    const permissions = permissionsOf(composition);
    const inFolder = { DATABASE_URL: `sqlite:${String(folder)}/service.sqlite`, MIGRATE: 'on' };
    const used = { ...(isTemporary && TEMPORARY_SETTINGS), ...env, ...(folder !== undefined && inFolder) };
    const loaded = loadConfig(used, permissions, composition.name);
    const config: Config = folder === undefined ? loaded : { ...loaded, isPrivate: true };
    const traces = await tracesOf(config, env, signals);
    stopTracing = traces?.stop;
    const log = stdoutLog(config.logLevel, traces?.tracing.activeFields);
    // Serve health first, because a start may take long, and the process is live meanwhile.
    const health = healthOptions(config, log);
    const servedHealth = health && (await listening('HEALTH_PORT', serveHealth(health)));
    closeHealth = servedHealth?.close;
    // Respond with 503 during the start, except with `REUSE_PORT`: clients of other processes would get this 503.
    endStart = config.reusePort || config.port === 0 ? undefined : serveStart(startOptions(config));
    const { app, warmUp, stop: stopApp } = await createService(composition, config, log, traces?.tracing, test?.create);
    stopServing = stopApp;
    let isStarted = false;
    const checked = checkedApp(app, () => isStarted);
    await configure?.(checked);
    await app.init();
    isStarted = true;
    const requests = await warmUpService({ app, warmUp }, config, beganAtMs);
    if (requests > 0) log.debug({ requests }, 'warmed up');
    await endStart?.();
    // Listen through Fastify. Nest would log a listen error in addition to our sentence about it.
    const url = await app.getHttpAdapter().getInstance().listen(listenOptions(config));
    if (servedHealth) reportReadiness(app.get(HealthController), app.get(Lifecycle).stopping, servedHealth.report);
    const stopAndDiscard = async (times: StopTimes): Promise<void> => {
      try {
        await stopApp(times);
      } finally {
        await discard();
      }
    };
    let stopped: Promise<void> | undefined;
    const stopWith = (times: StopTimes): Promise<void> => {
      forget();
      stopped ??= stopAndDiscard(times);
      return stopped;
    };
    const times = isTemporary ? IMMEDIATE_STOP : stopTimes(config.stopDelayMs);
    const onSignal = { times, limitMs: config.stopDelayMs + STOP_AFTER_DELAY_MS + CLOSE_LIMIT_MS };
    const forget = signals ? endWithProcess({ stop: stopWith, log, onSignal, onFault: ON_FAULT }) : () => undefined;
    const stop = (): Promise<void> => stopWith(times);
    return { url, adminKey: config.adminApiKey ?? app.get(AdminKey, { strict: false }).createdKey, app: checked, stop };
  } catch (error) {
    // Ignore errors of the stop, because the caller needs the error of the start.
    await stopServing?.(IMMEDIATE_STOP).catch(() => undefined);
    await discard();
    throw startError(error);
  }
}

/**
 * @param isOfProcess true if the service is the whole process. Then spans of all code are sent, otherwise only those of
 * the service.
 */
async function tracesOf(
  { tracing, logLevel, serviceName }: Config,
  env: NodeJS.ProcessEnv,
  isOfProcess: boolean,
): Promise<OwnTracing | undefined> {
  if (!tracing) return undefined;
  // Load tracing only if enabled: it costs memory, and a third of a second.
  const { startOwnTracing, startTracing } = await import('../../runtime/tracing/start-tracing.js');
  const { Tracing } = await import('../../runtime/tracing/tracing.js');
  const options = { serviceName, instance: instanceName(), log: stdoutLog(logLevel) };
  return isOfProcess ? { tracing: new Tracing(), stop: startTracing(options) } : startOwnTracing(options, env);
}

function listenOptions({ port, host, reusePort }: Config): FastifyListenOptions & { readonly reusePort: boolean } {
  return { port, host, backlog: MAX_UNACCEPTED, reusePort };
}

function healthOptions({ healthPort: port, host, versions }: Config, log: Log): HealthOptions | undefined {
  return port === undefined ? undefined : { port, host, log, headers: versions.headersOf() };
}

function startOptions({ port, host, tls, versions }: Config): StartOptions {
  return { port, host, tls, headers: versions.headersOf() };
}
