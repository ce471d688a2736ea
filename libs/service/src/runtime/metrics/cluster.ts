import type { EdgeLog } from '../../http/edge-options.js';

import { type MetricsAddress, MetricsServer } from './metrics-server.js';
import { WorkerMetrics } from './worker-metrics.js';

/** What the primary process serves. */
export interface WorkerMetricsOptions extends MetricsAddress {
  /** Of the names, `items`. */
  readonly prefix: string;
  readonly log: EdgeLog;
}

/**
 * In the primary process of `node:cluster`: serves what all workers tell, together, until the process ends.
 * @throws what keeps the port from being listened on.
 */
export async function serveWorkerMetrics({ prefix, log, ...address }: WorkerMetricsOptions): Promise<void> {
  const metrics = new WorkerMetrics(prefix);
  const url = await new MetricsServer(() => metrics.text(), log).listen(address);
  log.info({ url }, 'metrics are served');
}
