import { Outage } from '../../data/outages/outage.js';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node';

type Done = Parameters<SpanExporter['export']>[1];

/** Where it is said that traces cannot be sent; pino's log is one. */
export interface TracingLog {
  warn(fields: object, message: string): void;
}

/** Sends spans, and says in few lines when they cannot be sent: they are lost, and the service goes on. */
export class TellingExporter implements SpanExporter {
  private readonly outage: Outage;

  constructor(
    private readonly exporter: SpanExporter,
    log: TracingLog,
  ) {
    this.outage = new Outage(
      (fields, message) => {
        log.warn(fields, message);
      },
      'The collector of traces',
      '; spans are lost, requests are served',
    );
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
