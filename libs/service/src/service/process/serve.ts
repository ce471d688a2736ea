import 'reflect-metadata';
// Before @nestjs/throttler, which is CommonJS and requires it: Node 22 has no value yet of what is loaded later.
import '@nestjs/core';

import { reportReadiness } from '../../runtime/health-server/report-readiness.js';
import { serveHealth } from '../../runtime/health-server/serve-health.js';
import { serveStart } from '../../runtime/health-server/serve-start.js';
import { Lifecycle } from '../../http/connections/lifecycle.js';
import { STOP_AFTER_DELAY_MS, stopTimes, type StopTimes } from '../../http/connections/shutdown.js';
import { instanceName, stdoutLog } from '../../runtime/logging/log.js';
import { Ending, type EndingPlan } from '../../runtime/supervision/ending.js';
import { listening } from '../../runtime/supervision/fail-start.js';

import { AdminKey } from '../../access/auth/admin-key.js';
import type { Composition } from '../composition/composition.js';
import type { Config } from '../../runtime/config/config.js';
import { createService } from '../create-service.js';
import { HealthController } from '../health/health.controller.js';
import { healthOptions, startOptions } from './health-options.js';
import { listenOptions } from './listen-options.js';
import { warmUpService } from './warm-up.js';
import { welcome } from './welcome.js';

/** Whatever hangs, the process is gone so long after its last connection was cut. */
const CLOSE_LIMIT_MS = 700;
/** After a fault nothing can be trusted: what is under way is answered as far as it can be, and no more. */
const ON_FAULT: EndingPlan<StopTimes> = {
  times: { refuseNew: 0, closeIdle: 0, answerLate: 2_000, cut: 3_000 },
  limitMs: 4_000,
};

/** Runs the service in this process until a signal ends it. */
export async function serve(composition: Composition, config: Config): Promise<void> {
  // What it writes holds secrets: only this user may read it.
  process.umask(0o077);
  // Loaded where it is asked for: it costs memory, and a third of a second.
  const traces = config.tracing ? await import('../../runtime/tracing/index.js') : undefined;
  const tracing = traces && new traces.Tracing();
  const log = stdoutLog(config.logLevel, tracing?.activeFields);
  const stopTracing = traces?.startTracing({ serviceName: config.serviceName, instance: instanceName(), log });
  // Before anything else: a start may take long, and is live meanwhile.
  const health = healthOptions(config, log);
  const servedHealth = health && (await listening('HEALTH_PORT', serveHealth(health)));
  // With `REUSE_PORT` other processes may serve the port: a starting one would answer their clients with 503.
  const endStart = config.reusePort ? undefined : serveStart(startOptions(config));
  const { app, warmUp, stop: stopServing } = await createService(composition, config, log, tracing);
  const stop = async (times?: StopTimes): Promise<void> => {
    await stopServing(times);
    await stopTracing?.();
  };
  await app.init();
  const requests = await warmUpService({ app, warmUp }, config, 0);
  if (requests > 0) log.debug({ requests }, 'warmed up');
  await endStart?.();
  // Not by Nest, which would log what keeps it from listening beside the sentence that explains it.
  const url = await app.getHttpAdapter().getInstance().listen(listenOptions(config));
  if (servedHealth) reportReadiness(app.get(HealthController), app.get(Lifecycle).stopping, servedHealth.tell);
  process.stdout.write(welcome(config, url, app.get(AdminKey, { strict: false }).made));
  new Ending({ stop, log, onSignal: onSignal(config.stopDelayMs), onFault: ON_FAULT }).watch();
}

function onSignal(stopDelayMs: number): EndingPlan<StopTimes> {
  return { times: stopTimes(stopDelayMs), limitMs: stopDelayMs + STOP_AFTER_DELAY_MS + CLOSE_LIMIT_MS };
}
