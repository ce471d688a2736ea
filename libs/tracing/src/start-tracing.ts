import { trace, type TracerProvider } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ConsoleSpanExporter,
  NodeTracerProvider,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-node';

import { TellingExporter, type TracingLog } from './telling-exporter.js';

export type { TracingLog } from './telling-exporter.js';

/** Sends what is left. */
export type StopTracing = () => Promise<void>;

/** The service that sends the traces. */
export interface TracingOptions {
  /** Where `OTEL_SERVICE_NAME` says none. */
  readonly serviceName: string;
  /** This process among those that serve. */
  readonly instance: string;
  /** Hears when the collector does not answer, and when it does again. */
  readonly log: TracingLog;
  /** How long a stop waits for what is left to be sent, in milliseconds; half a second where it is left out. */
  readonly flushMs?: number;
}

/**
 * Starts OpenTelemetry as its variables say (`OTEL_EXPORTER_OTLP_ENDPOINT`, `OTEL_TRACES_SAMPLER`, `OTEL_SERVICE_NAME` …):
 * spans go to a collector in batches, and are dropped where more than `OTEL_BSP_MAX_QUEUE_SIZE` wait. Where one has been
 * started before the service (`node --import`), that one is used.
 */
export function startTracing({ serviceName, instance, log, flushMs = 500 }: TracingOptions): StopTracing {
  if (isStartedAlready(trace.getTracerProvider())) return () => Promise.resolve();
  const provider = new NodeTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': serviceName, 'service.instance.id': instance }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new TellingExporter(exporter(process.env['OTEL_TRACES_EXPORTER']), log))],
  });
  provider.register();
  return async () => {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, flushMs)));
    await Promise.race([provider.shutdown().catch(() => undefined), limit]);
    clearTimeout(timer);
    trace.disable();
  };
}

function exporter(name: string | undefined): SpanExporter {
  return name?.trim() === 'console' ? new ConsoleSpanExporter() : new OTLPTraceExporter();
}

/** Until somebody registers one, there is only a proxy whose tracers record nothing. */
function isStartedAlready(provider: TracerProvider): boolean {
  return provider.getTracer('').startSpan('').spanContext().traceId !== '0'.repeat(32);
}
