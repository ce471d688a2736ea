import { Counter, Gauge, type Registry } from 'prom-client';

export interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/**
 * A metric that is read only at a scrape: a counter if its name ends in `_total`, otherwise a gauge. Names contain
 * units (`_seconds`, `_bytes`).
 */
export interface Reading {
  /** Name without the prefix of the service. */
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  readonly read: () => Iterable<Sample>;
}

type Entry =
  | readonly [help: string, read: () => number | undefined]
  | readonly [help: string, label: string, read: () => readonly (readonly [value: string, count: number])[]];

/**
 * @param table entries by the metric's name. Without a label, `read` returns a number, or undefined if there is no
 *   value now. With a label, it returns a number for each of the label's values.
 */
export function readings(table: Readonly<Record<string, Entry>>): Reading[] {
  return Object.entries(table).map(([name, entry]) => {
    if (entry.length === 3) {
      const [help, label, read] = entry;
      const samples = (): Sample[] => read().map(([of, value]) => ({ labels: { [label]: of }, value }));
      return { name, help, labels: [label], read: samples };
    }
    const [help, read] = entry;
    const samples = (value: number | undefined): Sample[] => (value === undefined ? [] : [{ value }]);
    return { name, help, read: () => samples(read()) };
  });
}

/** @throws {Error} the name is in use, or not allowed by Prometheus. */
export function addReading(registry: Registry, { name, help, labels = [], read }: Reading): void {
  const common = { name, help, labelNames: labels, registers: [registry] };
  if (!name.endsWith('_total')) {
    new Gauge({
      ...common,
      collect() {
        this.reset();
        // Removes the initial 0 of a gauge without labels.
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
