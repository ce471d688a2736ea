import { spreadOf } from './statistics.js';

/** @typedef {import('./load/load-process.js').LoadProcess} LoadProcess */
/** @typedef {import('./requests.js').Contestant} Contestant */
/** @typedef {import('./load/load-process.js').Loaded & { requestsPerSecond: number, cpuMicros: number }} Sample */

/**
 * Duration of a measurement.
 * @typedef {object} Effort
 * @property {number} rounds
 * @property {number} seconds of a round.
 * @property {number} [count] maximum number of requests in a round, which may shorten it.
 * @property {number} warmUp requests before the first round.
 * @property {number} [warmUpSeconds] maximum time of the warm-up, even for a slow server.
 */

/**
 * Measures each contestant at full load in every round, so that a disturbance affects all of them. The order rotates.
 * @param {LoadProcess} generator
 * @param {readonly Contestant[]} contestants
 * @param {number} connections
 * @param {Effort} effort
 * @returns {Promise<Sample[][]>} one sample per contestant and round.
 */
export async function sampleRounds(generator, contestants, connections, effort) {
  const { rounds, warmUp, warmUpSeconds = 30, ...round } = effort;
  for (const contestant of contestants) {
    await load(generator, contestant, connections, { seconds: warmUpSeconds, count: warmUp });
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
 * Measures one load of a server.
 * @param {LoadProcess} generator
 * @param {Contestant} contestant
 * @param {number} connections
 * @param {Parameters<LoadProcess['load']>[0]} what
 * @returns {Promise<Sample>}
 */
export async function load(generator, contestant, connections, what) {
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
    throw new Error(`${contestant.requests[0]?.split('\r\n')[0]}: ${error.message}`);
  });
  const after = await contestant.process.use();
  await generator.close();
  return {
    ...loaded,
    requestsPerSecond: loaded.requests / loaded.seconds,
    cpuMicros: (after.cpuMicros - before.cpuMicros) / loaded.requests,
  };
}
