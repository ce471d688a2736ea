import { spreadOf } from './statistics.ts';
import type { Contestant } from './requests.ts';
import type { LoadProcess } from './load/load-process.ts';
import type { Load, Loaded } from './load/generator.ts';

interface Sample extends Loaded {
  requestsPerSecond: number;
  cpuMicros: number;
}

interface Effort {
  rounds: number;
  /** Duration of a round. */
  seconds: number;
  /** A round ends early after this number of requests. */
  count?: number;
  /** Number of requests before the first round. */
  warmUp: number;
  /** Maximum time of the warm-up, even for a slow server. */
  warmUpSeconds?: number;
}

/**
 * Measures each contestant at full load in every round, so that a disturbance affects all of them. Every second round
 * runs in reverse order.
 */
export async function sampleRounds(
  generator: LoadProcess,
  contestants: readonly Contestant[],
  connections: number,
  effort: Effort,
) {
  const { rounds, warmUp, warmUpSeconds = 30, ...round } = effort;
  for (const contestant of contestants) {
    await load(generator, contestant, connections, { seconds: warmUpSeconds, count: warmUp });
  }
  const samples: Sample[][] = contestants.map(() => []);
  for (let n = 0; n < rounds; n++) {
    const order = [...contestants.entries()];
    for (const [index, contestant] of n % 2 === 0 ? order : order.reverse()) {
      samples[index]?.push(await load(generator, contestant, connections, round));
    }
  }
  return samples;
}

/** Divides the reference's CPU time by that of another system, for each round. */
export function cpuRatios(reference: readonly Sample[], own: readonly Sample[]) {
  return spreadOf(own.map(({ cpuMicros }, round) => (reference[round]?.cpuMicros ?? Number.NaN) / cpuMicros));
}

export async function load(
  generator: LoadProcess,
  contestant: Contestant,
  connections: number,
  what: Load,
): Promise<Sample> {
  try {
    return await loadOnce(generator, contestant, connections, what);
  } catch {
    // Try again, because servers drop idle connections after a pause of the whole machine.
    await generator.close();
    return loadOnce(generator, contestant, connections, what);
  }
}

async function loadOnce(generator: LoadProcess, contestant: Contestant, connections: number, what: Load) {
  await generator.open(contestant, connections);
  const before = await contestant.process.use();
  const loaded = await generator.load(what).catch((error: Error) => {
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
