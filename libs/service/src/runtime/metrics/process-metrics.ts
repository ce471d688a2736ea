import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';

import { collectDefaultMetrics, Registry, Histogram } from 'prom-client';

let registry: Registry | undefined;

/** prom-client collects process metrics once per process and cannot stop, so all services of a process share them. */
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

const NAME = 'nodejs_gc_duration_seconds';
const KINDS = new Map([
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'major'],
  [constants.NODE_PERFORMANCE_GC_MINOR, 'minor'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weakcb'],
]);

/**
 * Replaces prom-client's metric of garbage collections. If Node reports several collections together, prom-client
 * counts only the first: under load, about half.
 * @returns a function that stops the measurement.
 */
export function timeGarbageCollections(registry: Registry): () => void {
  registry.removeSingleMetric(NAME);
  const duration = new Histogram({
    name: NAME,
    help: 'Pauses for garbage collection, in seconds, by kind.',
    labelNames: ['kind'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1],
    registers: [registry],
  });
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { kind } = (entry as PerformanceEntry & { readonly detail: { readonly kind: number } }).detail;
      duration.observe({ kind: KINDS.get(kind) ?? 'other' }, entry.duration / 1000);
    }
  });
  observer.observe({ entryTypes: ['gc'] });
  return () => {
    observer.disconnect();
  };
}
