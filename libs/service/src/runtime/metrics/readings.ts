import { Counter, Gauge, type Registry } from 'prom-client';

export interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/**
 * Numbers that exist anyway and are read only at a scrape. A counter only grows, and its name ends in `_total`; names
 * contain units (`_seconds`, `_bytes`).
 */
export interface Reading {
  readonly type: 'counter' | 'gauge';
  /** Without the prefix of the service. */
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  readonly read: () => Iterable<Sample>;
}

/** @param read undefined if there is no value now. */
export function one(type: Reading['type'], name: string, help: string, read: () => number | undefined): Reading {
  const samples = (value: number | undefined): Sample[] => (value === undefined ? [] : [{ value }]);
  return { type, name, help, read: () => samples(read()) };
}

/** @param read returns pairs of a value of the label and its number. */
export function each(
  [type, label]: readonly [Reading['type'], label: string],
  name: string,
  help: string,
  read: () => readonly (readonly [string, number])[],
): Reading {
  const samples = (): Sample[] => read().map(([of, value]) => ({ labels: { [label]: of }, value }));
  return { type, name, help, labels: [label], read: samples };
}

/** @throws {Error} the name is in use, or not allowed by Prometheus. */
export function addReading(registry: Registry, { type, name, help, labels = [], read }: Reading): void {
  const common = { name, help, labelNames: labels, registers: [registry] };
  if (type === 'gauge') {
    new Gauge({
      ...common,
      collect() {
        this.reset();
        // A gauge without labels would be 0.
        this.remove({});
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
