import { MissingProgramError } from '../cluster/binaries.ts';
import { allFaults } from './all-faults.js';
import { seconds } from './fault.js';
import { endLoads } from './load.js';

/**
 * @param {string | undefined} only names, separated by commas.
 * @throws {Error} if a name is unknown.
 */
export function chooseFaults(only) {
  if (only === undefined) return allFaults;
  return only.split(',').map((name) => {
    const found = allFaults.find((fault) => fault.name === name);
    if (found === undefined) throw new Error(`There is no fault "${name}"; \`-- --list\` names all of them.`);
    return found;
  });
}

/**
 * Runs faults one after another and prints a table.
 * @param {readonly import('./fault.js').Fault[]} faults
 * @returns {Promise<number>} exit status: 1 if an expectation of any fault fails.
 */
export async function checkFaults(faults) {
  /** @type {{ verdict: string, text: string }[]} */
  const rows = [];
  for (const fault of faults) {
    console.log(`… ${fault.title}`);
    const begunMs = performance.now();
    const { verdict, figure } = await outcomeOf(fault);
    console.log(`  ${verdict}: ${figure} (${seconds(performance.now() - begunMs)})`);
    rows.push({ verdict, text: `| ${fault.title} | ${verdict} | ${figure} |` });
  }
  console.log(['', '| fault | | figures |', '| --- | --- | --- |', ...rows.map(({ text }) => text), ''].join('\n'));
  const count = (/** @type {string} */ what) => rows.filter(({ verdict }) => verdict === what).length;
  console.log(`${count('holds')} hold, ${count('does not hold')} do not, ${count('skipped')} skipped.`);
  return count('does not hold') === 0 ? 0 : 1;
}

/** @param {import('./fault.js').Fault} fault */
async function outcomeOf(fault) {
  try {
    const { figure, problems } = await fault.run();
    if (problems.length === 0) return { verdict: 'holds', figure };
    return { verdict: 'does not hold', figure: `${problems.join('; ')}. ${figure}` };
  } catch (error) {
    if (error instanceof MissingProgramError) return { verdict: 'skipped', figure: error.message };
    return { verdict: 'does not hold', figure: error instanceof Error ? error.message : String(error) };
  } finally {
    await endLoads();
  }
}
