import { median, spreadOf } from './statistics.js';

/** @typedef {import('./load/load-process.js').LoadProcess} LoadProcess */
/** @typedef {import('./statistics.js').Spread} Spread */

/**
 * A server under test and its requests.
 * @typedef {object} ContestantParts
 * @property {string} name
 * @property {import('./server-process.js').ServerProcess} process
 * @typedef {ContestantParts & import('./load/load-process.js').Target} Contestant
 */

/**
 * @typedef {object} Result
 * @property {string} name
 * @property {Spread} requestsPerSecond at full load.
 * @property {Spread} cpuMicros CPU time of the server per request, at full load.
 * @property {Spread} ratio CPU time of the reference divided by that of this server, per round.
 * @property {Spread} addedMicros CPU time minus that of the reference, per round.
 * @property {number} p50Ms at half the rate of full load.
 * @property {number} p99Ms at the same rate.
 * @property {number} rssMb
 */

/**
 * Duration of a measurement.
 * @typedef {object} Effort
 * @property {number} rounds
 * @property {number} seconds of a round.
 * @property {number} [atLeast] minimum number of requests in a round, which may prolong it.
 * @property {number} [count] maximum number of requests in a round, which may shorten it.
 * @property {number} warmUp requests before the first round.
 */

/** Maximum time of a warm-up, even for a slow server. */
const LONGEST_WARM_UP_SECONDS = 30;

/**
 * Measures each contestant at full load in every round, so that a disturbance affects all of them. The order rotates.
 * @param {LoadProcess} generator
 * @param {readonly Contestant[]} contestants
 * @param {number} connections
 * @param {Effort} effort
 * @returns {Promise<Sample[][]>} one sample per contestant and round.
 */
export async function sampleRounds(generator, contestants, connections, { rounds, warmUp, ...round }) {
  for (const contestant of contestants) {
    await load(generator, contestant, connections, { seconds: LONGEST_WARM_UP_SECONDS, count: warmUp });
  }
  /** @type {Sample[][]} */
  const samples = contestants.map(() => []);
  for (let n = 0; n < rounds; n++) {
    const order = [...contestants.entries()];
    for (const [index, contestant] of n % 2 === 0 ? order : order.reverse()) {
      samples[index]?.push(await load(generator, contestant, connections, round));
    }
  }
  return samples;
}

/**
 * Computes the CPU time of the reference divided by that of another system, for each round.
 * @param {readonly Sample[]} reference @param {readonly Sample[]} own
 */
export function ratioOf(reference, own) {
  return spreadOf(own.map(({ cpuMicros }, round) => (reference[round]?.cpuMicros ?? Number.NaN) / cpuMicros));
}

/**
 * Measures the CPU time and rate of the contestants at full load, and the latency at half of it.
 * @param {LoadProcess} generator
 * @param {readonly Contestant[]} contestants the first is the reference.
 * @param {number} connections
 * @param {Effort} effort
 * @returns {Promise<Result[]>}
 */
export async function measure(generator, contestants, connections, effort) {
  const samples = await sampleRounds(generator, contestants, connections, effort);
  const [reference = []] = samples;
  /** @type {Result[]} */
  const results = [];
  for (const [index, contestant] of contestants.entries()) {
    const own = samples[index] ?? [];
    const requestsPerSecond = spreadOf(own.map((sample) => sample.requestsPerSecond));
    const perSecond = Math.max(1, requestsPerSecond.median / 2);
    const { p50Ms, p99Ms } = await load(generator, contestant, connections, { seconds: 2 * effort.seconds, perSecond });
    results.push({
      name: contestant.name,
      requestsPerSecond,
      cpuMicros: spreadOf(own.map((sample) => sample.cpuMicros)),
      ratio: ratioOf(reference, own),
      addedMicros: spreadOf(own.map(({ cpuMicros }, round) => cpuMicros - (reference[round]?.cpuMicros ?? Number.NaN))),
      p50Ms,
      p99Ms,
      rssMb: median(own.map((sample) => sample.rssMb)),
    });
  }
  return results;
}

/** @typedef {import('./load/load-process.js').Loaded & { requestsPerSecond: number, cpuMicros: number, rssMb: number }} Sample */

/**
 * @param {LoadProcess} generator
 * @param {Contestant} contestant
 * @param {number} connections
 * @param {Parameters<LoadProcess['load']>[0]} what
 * @returns {Promise<Sample>}
 */
async function load(generator, contestant, connections, what) {
  try {
    return await loadOnce(generator, contestant, connections, what);
  } catch {
    // Servers drop idle connections if all processes of this machine were paused for a while.
    await generator.close();
    return loadOnce(generator, contestant, connections, what);
  }
}

/** @type {typeof load} */
async function loadOnce(generator, contestant, connections, what) {
  await generator.open(contestant, connections);
  const before = await contestant.process.use();
  const loaded = await generator.load(what).catch((/** @type {Error} */ error) => {
    throw new Error(`${contestant.name}: ${error.message}`);
  });
  const after = await contestant.process.use();
  await generator.close();
  return {
    ...loaded,
    requestsPerSecond: loaded.requests / loaded.seconds,
    cpuMicros: (after.cpuMicros - before.cpuMicros) / loaded.requests,
    rssMb: after.rssBytes / 1e6,
  };
}
