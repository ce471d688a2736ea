import cluster, { type Worker } from 'node:cluster';

import { AggregatorRegistry, Registry } from 'prom-client';

import { addReading } from './readings.js';

/** One metric of a process with its values, as it goes over the channel between processes. */
interface ToldMetric {
  readonly type: string;
}

interface Message {
  readonly type: typeof ASK | typeof TELL;
  readonly round: number;
  readonly told?: readonly ToldMetric[];
}

const ASK = 'metrics:ask';
const TELL = 'metrics:tell';
/** Of a worker whose event loop stands still for longer, only its last counters appear. */
const ANSWER_TIMEOUT_MS = 1_000;
/** What only grows. */
const COUNTED = new Set(['counter', 'histogram']);

/** In a worker: tells the primary process what it asks for. */
export function tellPrimary(registry: Registry): void {
  process.on('message', (message: unknown) => {
    if (!isMessage(message, ASK)) return;
    void told(registry).then((metrics) => {
      // The primary may be gone by now.
      process.send?.(
        { type: TELL, round: message.round, told: metrics } satisfies Message,
        undefined,
        {},
        () => undefined,
      );
    });
  });
}

/**
 * In the primary process: what all workers tell, together. Counters never fall, which Prometheus would take for a new
 * beginning: what a worker had counted stays when it is gone, or does not answer. Its gauges do not: they are no longer known.
 */
export class WorkerMetrics {
  private readonly own = new Registry();
  private readonly latest = new Map<number, readonly ToldMetric[]>();
  private gone: readonly ToldMetric[] = [];
  private keeping = Promise.resolve();
  private round = 0;
  private silent = new Set<number>();
  private allHaveAnswered: () => void = () => undefined;

  /** @param prefix of the names, `items`. */
  constructor(
    prefix: string,
    private readonly timeoutMs = ANSWER_TIMEOUT_MS,
  ) {
    cluster.on('message', (worker, message: unknown) => {
      if (isMessage(message, TELL)) this.receive(worker, message);
    });
    cluster.on('exit', (worker) => {
      this.keep(worker);
    });
    addReading(this.own, {
      type: 'gauge',
      name: `${prefix}_workers`,
      help: 'Worker processes that run.',
      read: () => [{ value: workers().length }],
    });
    addReading(this.own, {
      type: 'gauge',
      name: `${prefix}_workers_silent`,
      help: 'Worker processes that did not answer in time; only their last counters appear.',
      read: () => [{ value: this.silent.size }],
    });
  }

  /** One at a time. @returns the metrics in Prometheus' text format. */
  async text(): Promise<string> {
    await this.ask(workers());
    await this.keeping;
    const now = [...this.latest].map(([id, metrics]) => (this.silent.has(id) ? countedIn(metrics) : metrics));
    const together = AggregatorRegistry.aggregate([...now, this.gone] as object[]);
    return (await together.metrics()) + (await this.own.metrics());
  }

  private async ask(asked: readonly Worker[]): Promise<void> {
    const message: Message = { type: ASK, round: (this.round += 1) };
    this.silent = new Set(asked.map(({ id }) => id));
    if (asked.length === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.timeoutMs);
      this.allHaveAnswered = () => {
        clearTimeout(timer);
        resolve();
      };
      // It may end meanwhile.
      for (const worker of asked) worker.send(message, undefined, {}, () => undefined);
    });
  }

  private receive(worker: Worker, message: Message): void {
    if (worker.isDead()) return;
    this.latest.set(worker.id, message.told ?? []);
    if (message.round === this.round) this.noLongerSilent(worker);
  }

  private noLongerSilent({ id }: Worker): void {
    if (this.silent.delete(id) && this.silent.size === 0) this.allHaveAnswered();
  }

  private keep(worker: Worker): void {
    const counted = countedIn(this.latest.get(worker.id) ?? []);
    this.latest.delete(worker.id);
    this.noLongerSilent(worker);
    this.keeping = this.keeping.then(async () => {
      this.gone = await told(AggregatorRegistry.aggregate([this.gone, counted] as object[]));
    });
  }
}

function countedIn(metrics: readonly ToldMetric[]): readonly ToldMetric[] {
  return metrics.filter(({ type }) => COUNTED.has(type));
}

function workers(): readonly Worker[] {
  return Object.values(cluster.workers ?? {}).flatMap((worker) => (worker?.isConnected() === true ? worker : []));
}

async function told(registry: Registry): Promise<readonly ToldMetric[]> {
  return (await registry.getMetricsAsJSON()) as unknown as ToldMetric[];
}

function isMessage(message: unknown, type: Message['type']): message is Message {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === type;
}
