import autocannon from 'autocannon';

/**
 * A server under measurement, and how it is asked.
 * @typedef {object} System
 * @property {string} name
 * @property {string} address
 * @property {Record<string, string>} headers
 * @property {import('./server-process.js').ServerProcess} process
 */

/** @typedef {{ name: string, paths: (system: System) => Promise<string[]> }} Scenario what is asked of each system. */

/** @typedef {{ requestsPerSecond: number, cpuMicrosPerRequest: number, p99Ms: number }} Sample */

/**
 * Measures every system in each round, so that what disturbs the machine disturbs all of them.
 * @param {readonly System[]} systems
 * @param {Scenario} scenario
 * @param {{ rounds: string, seconds: string, connections: string }} options
 * @returns {Promise<({ name: string } & Sample)[]>} medians.
 */
export async function measure(systems, scenario, { rounds, seconds, connections }) {
  const paths = await Promise.all(systems.map((system) => scenario.paths(system)));
  /** @type {Sample[][]} */
  const samples = systems.map(() => []);
  for (let round = -1; round < Number(rounds); round++) {
    for (const [index, system] of systems.entries()) {
      const sample = await load(system, paths[index] ?? [], round === -1 ? 1 : Number(seconds), Number(connections));
      // The first round warms up.
      if (round >= 0) samples[index]?.push(sample);
    }
  }
  return systems.map(({ name }, index) => {
    const of = (/** @type {keyof Sample} */ what) => median((samples[index] ?? []).map((sample) => sample[what]));
    return {
      name,
      requestsPerSecond: of('requestsPerSecond'),
      cpuMicrosPerRequest: of('cpuMicrosPerRequest'),
      p99Ms: of('p99Ms'),
    };
  });
}

/**
 * @param {System} system
 * @param {string[]} paths
 * @param {number} duration seconds.
 * @param {number} connections
 * @returns {Promise<Sample>}
 */
async function load({ address, headers, process: server }, paths, duration, connections) {
  const cpuBefore = await server.cpuMicros();
  const result = await autocannon({
    url: address,
    connections,
    duration,
    headers,
    requests: paths.map((path) => ({ path })),
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${address} refused ${result.non2xx + result.errors} requests`);
  const requests = result.requests.total;
  return {
    requestsPerSecond: requests / result.duration,
    cpuMicrosPerRequest: ((await server.cpuMicros()) - cpuBefore) / requests,
    p99Ms: result.latency.p99,
  };
}

export function median(/** @type {number[]} */ values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
