import { Agent, get, type RequestOptions } from 'node:http';

/** Default requests per second: low enough that the service is not busy with them alone. */
const RATE = 400;

/**
 * Measures the latency of requests at a fixed rate, whether or not earlier requests have finished. Latency counts from
 * the time when a request was due, so that a stalled service is measured just as often.
 */
export async function measureLatency(
  address: string,
  paths: readonly string[],
  headers: Record<string, string>,
  until: Promise<unknown>,
  rate = RATE,
  maxRefused = 0,
) {
  const agent = new Agent({ keepAlive: true });
  const start = performance.now();
  const latencies: Promise<number>[] = [];
  let refused = 0;
  const note = () => (refused += 1);
  const timer = setInterval(() => {
    for (;;) {
      const dueMs = start + (latencies.length * 1000) / rate;
      if (dueMs > performance.now()) break;
      latencies.push(latencyOf(`${address}${paths[latencies.length % paths.length]}`, { agent, headers }, dueMs, note));
    }
  }, 1);
  await until;
  clearInterval(timer);
  const sorted = (await Promise.all(latencies)).sort((a, b) => a - b);
  agent.destroy();
  if (refused > maxRefused) throw new Error(`${refused} of ${sorted.length} requests were answered otherwise than 200`);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { requests: sorted.length, refused, p50Ms: at(0.5), p99Ms: at(0.99) };
}

function latencyOf(url: string, options: RequestOptions, dueMs: number, noteRefused: () => void): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, options, (answer) => {
      if (answer.statusCode !== 200) noteRefused();
      answer.resume().once('end', () => resolve(performance.now() - dueMs));
    }).once('error', reject);
  });
}
