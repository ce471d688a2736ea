import { collectDefaultMetrics, Registry } from 'prom-client';

let registry: Registry | undefined;

/** prom-client collects process metrics once per process, without an end, so all services of a process share them. */
export function addProcessMetrics(to: Registry): void {
  if (registry === undefined) {
    registry = new Registry();
    collectDefaultMetrics({ register: registry });
  }
  for (const { name } of registry.getMetricsAsArray()) {
    const metric = registry.getSingleMetric(name);
    if (metric !== undefined) to.registerMetric(metric);
  }
}
