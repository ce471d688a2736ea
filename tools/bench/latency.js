import { Agent, get } from 'node:http';

/** Requests a second, where nothing else is said: few enough that the service is not busy with them alone. */
const RATE = 400;

/**
 * How long requests take that come at a fixed rate, whether or not those before them are answered; each is counted
 * from the moment it was due, so that a service that stands still is not measured less often.
 * @param {string} address
 * @param {readonly string[]} paths asked for in turn.
 * @param {Record<string, string>} headers
 * @param {Promise<unknown>} until measured until then.
 * @param {number} [rate] requests a second.
 * @returns {Promise<{ requests: number, p50Ms: number, p99Ms: number }>}
 */
export async function measureLatency(address, paths, headers, until, rate = RATE) {
  const agent = new Agent({ keepAlive: true });
  const start = performance.now();
  /** @type {Promise<number>[]} */
  const latencies = [];
  const timer = setInterval(() => {
    for (;;) {
      const dueMs = start + (latencies.length * 1000) / rate;
      if (dueMs > performance.now()) break;
      latencies.push(latencyOf(`${address}${paths[latencies.length % paths.length]}`, { agent, headers }, dueMs));
    }
  }, 1);
  await until;
  clearInterval(timer);
  const sorted = (await Promise.all(latencies)).sort((a, b) => a - b);
  agent.destroy();
  const at = (/** @type {number} */ share) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { requests: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99) };
}

/**
 * @param {string} url
 * @param {import('node:http').RequestOptions} options
 * @param {number} dueMs
 * @returns {Promise<number>}
 */
function latencyOf(url, options, dueMs) {
  return new Promise((resolve, reject) => {
    get(url, options, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url} was answered ${answer.statusCode}`));
      answer.resume().once('end', () => resolve(performance.now() - dueMs));
    }).once('error', reject);
  });
}
