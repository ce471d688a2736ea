import { collectDefaultMetrics, Registry } from 'prom-client';

let registry: Registry | undefined;

/**
 * Adds what prom-client tells of the process. It is begun once in a process and has no end, so that services which start
 * and stop do not leave one each.
 */
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
