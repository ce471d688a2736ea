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
import { Tracing } from './tracing.js';

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
export function startTracing(options: TracingOptions): StopTracing {
  if (isStartedAlready(trace.getTracerProvider())) return () => Promise.resolve();
  const provider = providerOf(options);
  provider.register();
  return async () => {
    await endProvider(provider, options);
    trace.disable();
  };
}

/** Traces of one service among several of a process. */
export interface OwnTracing {
  readonly tracing: Tracing;
  readonly stop: StopTracing;
}

/**
 * The same for one service of several: its spans go where its own variables say, and those of others elsewhere.
 * @param env the variables of the service.
 */
export function startOwnTracing(options: TracingOptions, env: NodeJS.ProcessEnv): OwnTracing {
  if (isStartedAlready(trace.getTracerProvider())) return { tracing: new Tracing(), stop: () => Promise.resolve() };
  const provider = inEnvironment(env, () => providerOf(options));
  // Contexts are the process's, of whichever service comes first; spans are each service's own.
  provider.register();
  trace.disable();
  return { tracing: new Tracing(provider.getTracer('@items/tracing')), stop: () => endProvider(provider, options) };
}

function providerOf({ serviceName, instance, log }: TracingOptions): NodeTracerProvider {
  return new NodeTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': serviceName, 'service.instance.id': instance }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new TellingExporter(exporter(process.env['OTEL_TRACES_EXPORTER']), log))],
  });
}

async function endProvider(provider: NodeTracerProvider, { flushMs = 500 }: TracingOptions): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, flushMs)));
  await Promise.race([provider.shutdown().catch(() => undefined), limit]);
  clearTimeout(timer);
}

/** OpenTelemetry reads its variables from `process.env` alone, while its parts are made: nothing else runs meanwhile. */
function inEnvironment<T>(env: NodeJS.ProcessEnv, make: () => T): T {
  const ofProcess = process.env;
  process.env = env;
  try {
    return make();
  } finally {
    process.env = ofProcess;
  }
}

function exporter(name: string | undefined): SpanExporter {
  return name?.trim() === 'console' ? new ConsoleSpanExporter() : new OTLPTraceExporter();
}

/** Until somebody registers one, there is only a proxy whose tracers record nothing. */
function isStartedAlready(provider: TracerProvider): boolean {
  return provider.getTracer('').startSpan('').spanContext().traceId !== '0'.repeat(32);
}
