import { setTimeout as sleep } from 'node:timers/promises';

import { HttpClient, type RunningApp } from '@items/testing';

import { linesOf } from './log-lines.js';
import { expectStatus } from './reading.js';

/** Generous, because the machine may be busy. */
const PATIENCE_MS = 15_000;

/** One line in the text format of Prometheus. */
export interface Sample {
  /** Includes the suffix of a histogram: `_bucket`, `_sum`, `_count`. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Scrape {
  /** Types by the names of metrics. */
  readonly types: ReadonlyMap<string, string>;
  readonly samples: readonly Sample[];
}

export class Scraper {
  readonly client: HttpClient;

  constructor(readonly url: string) {
    this.client = new HttpClient({ baseUrl: url, timeoutMs: PATIENCE_MS });
  }

  /** @param app with `METRICS_PORT=0`; the chosen port is in its log. */
  static async of(app: RunningApp): Promise<Scraper> {
    for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(20)) {
      const logged = linesOf(app).find(({ msg }) => msg === 'metrics are served');
      if (logged !== undefined) return new Scraper(String(logged['url']));
      if (Date.now() > deadline) throw new Error('The service serves no metrics.');
    }
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  async scrape(): Promise<Scrape> {
    const answer = await this.client.get('/metrics');
    expectStatus(answer, 200);
    const lines = answer.text.split('\n').filter((line) => line !== '');
    const types = lines.filter((line) => line.startsWith('# TYPE ')).map((line) => line.split(' ').slice(2, 4));
    return {
      types: new Map(types as [string, string][]),
      samples: lines.filter((line) => !line.startsWith('#')).map(sampleOf),
    };
  }

  /** Adds up the samples that have at least these labels. */
  async read(name: string, labels: Readonly<Record<string, string>> = {}): Promise<number> {
    const { samples } = await this.scrape();
    return samples
      .filter((sample) => sample.name === name && Object.entries(labels).every(([key, v]) => sample.labels[key] === v))
      .reduce((sum, { value }) => sum + value, 0);
  }

  /** Waits for a value: a request is counted after its response was sent. */
  async until(
    holds: (value: number) => boolean,
    name: string,
    labels: Readonly<Record<string, string>> = {},
  ): Promise<number> {
    for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(20)) {
      const value = await this.read(name, labels);
      if (holds(value)) return value;
      if (Date.now() > deadline) throw new Error(`${name} ${JSON.stringify(labels)} is still ${String(value)}`);
    }
  }
}

function sampleOf(line: string): Sample {
  const [, name = '', inner = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
  if (name === '') throw new Error(`This is no sample: ${line}`);
  const labels = [...inner.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(
    ([, key = '', text = '']) => [key, text] as const,
  );
  return { name, labels: Object.fromEntries(labels), value: Number(value) };
}
