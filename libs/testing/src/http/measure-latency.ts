import { Agent, get, type RequestOptions } from 'node:http';

export interface LatencyOptions {
  readonly address: string;
  /** Requested in rotation. */
  readonly paths: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** Ends the measurement. */
  readonly until: Promise<unknown>;
  readonly perSecond: number;
}

export interface Latency {
  readonly requests: number;
  /** Responses with a status other than 200. */
  readonly refused: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/**
 * Measures the latency of requests at a fixed rate, whether or not earlier requests have finished. Latency counts from
 * the time when a request was due, so that a stalled service is measured just as often.
 */
export async function measureLatency({ address, paths, headers, until, perSecond }: LatencyOptions): Promise<Latency> {
  const agent = new Agent({ keepAlive: true });
  const start = performance.now();
  const latencies: Promise<number>[] = [];
  let refused = 0;
  const count = (status: number | undefined): void => {
    if (status !== 200) refused += 1;
  };
  const timer = setInterval(() => {
    for (;;) {
      const dueMs = start + (latencies.length * 1000) / perSecond;
      if (dueMs > performance.now()) break;
      const url = `${address}${paths[latencies.length % paths.length] ?? ''}`;
      latencies.push(latencyOf(url, { agent, headers }, dueMs, count));
    }
  }, 1);
  await until;
  clearInterval(timer);
  const sorted = (await Promise.all(latencies)).sort((a, b) => a - b);
  agent.destroy();
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { requests: sorted.length, refused, p50Ms: at(0.5), p99Ms: at(0.99) };
}

function latencyOf(
  url: string,
  options: RequestOptions,
  dueMs: number,
  count: (status: number | undefined) => void,
): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, options, (answer) => {
      count(answer.statusCode);
      answer.resume().once('end', () => resolve(performance.now() - dueMs));
    }).once('error', reject);
  });
}
