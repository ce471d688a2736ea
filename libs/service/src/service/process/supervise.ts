import { serveWorkerHealth } from '../../runtime/health-server/serve-health.js';
import { stdoutLog } from '../../runtime/logging/log.js';
import { listening } from '../../runtime/supervision/fail-start.js';
import { superviseWorkers } from '../../runtime/supervision/supervise-workers.js';

import { type Config, METRIC_PREFIX } from '../../runtime/config/config.js';
import { healthOptions } from './health-options.js';

/** Runs the service in several processes, of which this one serves nothing but what the others tell of themselves. */
export async function supervise(config: Config): Promise<void> {
  const { workers, metricsPort: port, host, logLevel } = config;
  const log = stdoutLog(logLevel);
  const health = healthOptions(config, log);
  if (health !== undefined) await listening('HEALTH_PORT', serveWorkerHealth(health));
  if (port !== undefined) {
    // Loaded late: without metrics this process needs no memory for a server.
    const { serveWorkerMetrics } = await import('../../runtime/metrics/cluster.js');
    await listening('METRICS_PORT', serveWorkerMetrics({ prefix: METRIC_PREFIX, log, port, host }));
  }
  superviseWorkers(workers, log);
}
