import 'reflect-metadata';

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

/** Maximum time from cutting the last connection to the exit of the process. */
const CLOSE_LIMIT_MS = 700;
/** After a fault the state is unreliable: respond to running requests if possible, then exit. */
const ON_FAULT: EndingPlan<StopTimes> = {
  times: { refuseNew: 0, closeIdle: 0, answerLate: 2_000, cut: 3_000 },
  limitMs: 4_000,
};

export async function serve(composition: Composition, config: Config): Promise<void> {
  // Written files contain secrets, so only this user may read them.
  process.umask(0o077);
  // Load tracing only if enabled: it costs memory, and a third of a second.
  const traces = config.tracing ? await import('../../runtime/tracing/index.js') : undefined;
  const tracing = traces && new traces.Tracing();
  const log = stdoutLog(config.logLevel, tracing?.activeFields);
  const stopTracing = traces?.startTracing({ serviceName: config.serviceName, instance: instanceName(), log });
  // Serve health first, because a start may take long, and the process is live meanwhile.
  const health = healthOptions(config, log);
  const servedHealth = health && (await listening('HEALTH_PORT', serveHealth(health)));
  // With `REUSE_PORT` other processes may serve the port: a starting one would send 503 to their clients.
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
  // Listen through Fastify. Nest would log a listen error in addition to our sentence about it.
  const url = await app.getHttpAdapter().getInstance().listen(listenOptions(config));
  if (servedHealth) reportReadiness(app.get(HealthController), app.get(Lifecycle).stopping, servedHealth.tell);
  process.stdout.write(welcome(config, url, app.get(AdminKey, { strict: false }).made));
  new Ending({ stop, log, onSignal: onSignal(config.stopDelayMs), onFault: ON_FAULT }).watch();
}

function onSignal(stopDelayMs: number): EndingPlan<StopTimes> {
  return { times: stopTimes(stopDelayMs), limitMs: stopDelayMs + STOP_AFTER_DELAY_MS + CLOSE_LIMIT_MS };
}
