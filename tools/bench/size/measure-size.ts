import { median } from '../statistics.ts';

const WARM_UP = 12;
const RUNS = 60;
/** Time limit per task: deep pages are slow. */
const LONGEST_MS = 4000;
const WRITERS = 16;
const ROUNDS = 6;

/**
 * Measures the median times of several tasks in microseconds. The tasks alternate, so that a disturbance affects all
 * of them.
 */
export async function medians(works: (() => Promise<unknown>)[]) {
  const times: number[][] = works.map(() => []);
  const until = performance.now() + LONGEST_MS * works.length;
  for (let run = 0; run < WARM_UP + RUNS && (run < WARM_UP + 3 || performance.now() < until); run++) {
    for (const [index, work] of works.entries()) {
      const begunAt = performance.now();
      await work();
      if (run >= WARM_UP) times[index]?.push((performance.now() - begunAt) * 1000);
    }
  }
  return times.map(median);
}

/** Measures runs per second, with several concurrent writers, in alternating rounds. */
export async function rates(works: (() => Promise<unknown>)[], seconds: number) {
  const done = works.map(() => 0);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, work] of works.entries()) {
      const begunAt = performance.now();
      const until = begunAt + (seconds * 1000) / ROUNDS;
      let count = 0;
      await Promise.all(
        Array.from({ length: WRITERS }, async () => {
          for (; performance.now() < until; count++) await work();
        }),
      );
      done[index] = (done[index] ?? 0) + count / ((performance.now() - begunAt) / 1000) / ROUNDS;
    }
  }
  return done;
}
