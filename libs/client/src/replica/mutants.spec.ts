import { stop } from 'esbuild';

import { mutated, MUTANTS } from './testing/mutants.testing.js';
import { simulate, type Subject } from './testing/simulation.testing.js';

/** Number of seeds to try. A mutant that passes all of them is not found. */
const MAX_SEEDS = 300;

// The process of esbuild would prevent Jest from exiting.
afterAll(() => stop());

async function firstFailure(subject: Subject): Promise<number | undefined> {
  for (let seed = 1; seed <= MAX_SEEDS; seed += 1) {
    const fails = await simulate(seed, subject).then(
      () => false,
      () => true,
    );
    if (fails) return seed;
  }
  return undefined;
}

describe('the simulation finds a replica in which', () => {
  it.each(MUTANTS)(
    '$title',
    async (mutant) => {
      const seed = await firstFailure(await mutated(mutant));
      process.stdout.write(`${mutant.title}: seed ${String(seed)}\n`);
      expect(seed).toBeLessThanOrEqual(MAX_SEEDS);
    },
    300_000,
  );
});
