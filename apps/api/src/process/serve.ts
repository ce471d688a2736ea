import 'reflect-metadata';
import './known-warnings.js';

import cluster from 'node:cluster';

import { STOP_AFTER_DELAY_MS, stopTimes, type StopTimes } from '@items/http';
import { stdoutLog } from '@items/logging';
import { Ending, type EndingPlan, listening } from '@items/processes';

import type { Config } from '../config/config.js';
import { createService } from '../create-service.js';
import { welcome } from './welcome.js';

/** Whatever hangs, the process is gone so long after its last connection was cut. */
const CLOSE_LIMIT_MS = 700;
/** After a fault nothing can be trusted: what is under way is answered as far as it can be, and no more. */
const ON_FAULT: EndingPlan<StopTimes> = {
  times: { refuseNew: 0, closeIdle: 0, answerLate: 2_000, cut: 3_000 },
  limitMs: 4_000,
};

/** Runs the service in this process until a signal ends it. */
export async function serve(config: Config): Promise<void> {
  // What it writes holds secrets: only this user may read it.
  process.umask(0o077);
  const log = stdoutLog(config.logLevel);
  const { app, stop } = await createService(config, log);
  // Nothing else listens as yet.
  await listening('METRICS_PORT', app.init());
  // Not by Nest, which would log what keeps it from listening beside the sentence that explains it.
  const url = await app.getHttpAdapter().getInstance().listen({ port: config.port, host: config.host });
  const isFirst = cluster.worker === undefined || cluster.worker.id === 1;
  if (isFirst) process.stdout.write(welcome(config, url));
  new Ending({ stop, log, onSignal: onSignal(config.stopDelayMs), onFault: ON_FAULT }).watch();
}

function onSignal(stopDelayMs: number): EndingPlan<StopTimes> {
  return { times: stopTimes(stopDelayMs), limitMs: stopDelayMs + STOP_AFTER_DELAY_MS + CLOSE_LIMIT_MS };
}
