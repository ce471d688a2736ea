import { Outage } from '../../data/outages/outage.js';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node';

type Done = Parameters<SpanExporter['export']>[1];

export interface TracingLog {
  warn(fields: object, message: string): void;
}

/** Logs outages of the collector in few lines: spans are lost, and the service goes on. */
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
