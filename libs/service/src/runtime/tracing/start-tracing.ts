import { trace, type TracerProvider } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ConsoleSpanExporter,
  NodeTracerProvider,
  type SpanExporter,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-node';
import { Tracing } from './tracing.js';
import { Outage, type OutageLog } from '../../data/outages/outage.js';

export type StopTracing = () => Promise<void>;

export interface TracingOptions {
  readonly serviceName: string;
  readonly instance: string;
  readonly log: OutageLog;
  /** Time for sending the remaining spans at a stop. Default: 500. */
  readonly flushMs?: number;
}

/**
 * Starts OpenTelemetry according to its variables. Spans are sent in batches, and dropped if more than
 * `OTEL_BSP_MAX_QUEUE_SIZE` wait. A provider that was started before the service (`node --import`) is used instead.
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

export interface OwnTracing {
  readonly tracing: Tracing;
  readonly stop: StopTracing;
}

export function startOwnTracing(options: TracingOptions, env: NodeJS.ProcessEnv): OwnTracing {
  if (isStartedAlready(trace.getTracerProvider())) return { tracing: new Tracing(), stop: () => Promise.resolve() };
  const provider = inEnvironment(env, () => providerOf(options));
  // Registers the context manager and propagator for all services of the process. `disable` unregisters only this
  // service's provider.
  provider.register();
  trace.disable();
  return { tracing: new Tracing(provider.getTracer('@items/tracing')), stop: () => endProvider(provider, options) };
}

function providerOf({ serviceName, instance, log }: TracingOptions): NodeTracerProvider {
  return new NodeTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': serviceName, 'service.instance.id': instance }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new LoggingExporter(exporter(process.env['OTEL_TRACES_EXPORTER']), log))],
  });
}

async function endProvider(provider: NodeTracerProvider, { flushMs = 500 }: TracingOptions): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, flushMs)));
  await Promise.race([provider.shutdown().catch(() => undefined), limit]);
  clearTimeout(timer);
}

/**
 * OpenTelemetry reads only `process.env`, synchronously while its parts are created, so no other code sees the replaced
 * variables.
 */
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

/** Without a registered provider, there is only a proxy whose tracers record nothing. */
function isStartedAlready(provider: TracerProvider): boolean {
  return provider.getTracer('').startSpan('').spanContext().traceId !== '0'.repeat(32);
}

type Done = Parameters<SpanExporter['export']>[1];

/** Logs outages of the collector in few lines: spans are lost, and the service continues. */
class LoggingExporter implements SpanExporter {
  private readonly outage: Outage;

  constructor(
    private readonly exporter: SpanExporter,
    log: OutageLog,
  ) {
    this.outage = new Outage(log, 'The collector of traces', '; spans are lost, requests are served');
  }

  export(spans: ReadableSpan[], done: Done): void {
    this.exporter.export(spans, (result) => {
      if (result.error === undefined) this.outage.succeed();
      else this.outage.fail(result.error);
      done(result);
    });
  }

  shutdown(): Promise<void> {
    this.outage.stop();
    return this.exporter.shutdown();
  }
}
