import type { Ran } from './run.ts';

/** Prints the name of a step, then a line every ten seconds until it ends, its duration, and its output if it fails. */
export async function step(what: string, work: () => Promise<Ran>): Promise<Ran> {
  const started = performance.now();
  const seconds = () => ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${what} …`);
  const telling = setInterval(() => console.log(`  still at it after ${seconds()} s`), 10_000);
  const result = await work();
  clearInterval(telling);
  if (!result.ok && result.output !== '') console.error(result.output.trimEnd());
  console.log(result.ok ? `  done in ${seconds()} s` : `  failed after ${seconds()} s`);
  return result;
}
