import { Counter, Gauge, type Registry } from 'prom-client';

/** One number, and the labels that tell it from others of its name. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/**
 * Numbers that something keeps anyway, read when they are asked for: between two scrapes they cost nothing. A counter
 * only grows, and its name ends in `_total`; units stand in the name (`_seconds`, `_bytes`).
 */
export interface Reading {
  readonly type: 'counter' | 'gauge';
  readonly name: string;
  /** One sentence for readers of the scraped text. */
  readonly help: string;
  /** Names of the labels; each has few values. */
  readonly labels?: readonly string[];
  /** @returns no sample where there is nothing to tell as yet. */
  readonly read: () => Iterable<Sample>;
}

/** Adds a reading to a registry. @throws {Error} the name is taken, or no name that Prometheus allows. */
export function addReading(registry: Registry, { type, name, help, labels = [], read }: Reading): void {
  const common = { name, help, labelNames: labels, registers: [registry] };
  if (type === 'gauge') {
    new Gauge({
      ...common,
      collect() {
        this.reset();
        for (const sample of read()) this.set(sample.labels ?? {}, sample.value);
      },
    });
    return;
  }
  new Counter({
    ...common,
    collect() {
      this.reset();
      for (const sample of read()) this.inc(sample.labels ?? {}, sample.value);
    },
  });
}
