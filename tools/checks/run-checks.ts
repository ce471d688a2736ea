import type { Check } from './outcome.ts';
import type { Row } from './summary.ts';

/**
 * Runs checks in order. Consecutive checks that may run concurrently form a group, which runs two at a time. Failed
 * files run again after their group. Returns the rows in the order of the checks.
 */
export async function runChecks(checks: readonly Check[], say: (line: string) => void = console.log): Promise<Row[]> {
  const rows = [];
  const place = (check: Check) => `${checks.indexOf(check) + 1} of ${checks.length}`;
  for (const group of grouped(checks)) {
    const ran = await inPairs(group.map((check) => () => runCheck(check, place(check), say)));
    for (const row of ran) rows.push(row.outcome.again ? await runAgain(row, row.outcome.again, say) : row);
  }
  return rows;
}

async function runCheck({ title, run }: Check, place: string, say: (line: string) => void): Promise<Row> {
  say(`\n▶ ${place}: ${title}`);
  return timed(title, run, say);
}

async function runAgain({ title, seconds }: Row, again: Check['run'], say: (line: string) => void): Promise<Row> {
  const row = await timed(title, again, say);
  return { ...row, seconds: seconds + row.seconds };
}

async function timed(title: string, run: Check['run'], say: (line: string) => void): Promise<Row> {
  const started = performance.now();
  const outcome = await run();
  const seconds = (performance.now() - started) / 1000;
  say(`${outcome.failed === 0 ? '✔' : '✘'} ${title} (${seconds.toFixed(1)} s)`);
  return { title, seconds, outcome };
}

function grouped(checks: readonly Check[]): Check[][] {
  const groups = [];
  for (const check of checks) {
    const group = groups.at(-1);
    if (check.mayRunConcurrently && group?.at(-1)?.mayRunConcurrently) group.push(check);
    else groups.push([check]);
  }
  return groups;
}

/** Runs tasks, at most two concurrently. The results are in the order of the tasks. */
async function inPairs<T>(tasks: readonly (() => Promise<T>)[]): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const work = async () => {
    while (next < tasks.length) {
      const index = next++;
      const task = tasks[index];
      if (task !== undefined) results[index] = await task();
    }
  };
  await Promise.all([work(), work()]);
  return results;
}
