import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { workspaceRoot } from '../workspace/root.js';
import { runNode } from '../workspace/run.js';
import { failedOnce } from './outcome.js';

/**
 * A check that is a run of Jest: each test counts.
 * @param {string} name
 * @param {string} title
 * @param {{ args: readonly string[], env: Record<string, string> }} options
 * @returns {import('./outcome.js').Check}
 */
export function jestCheck(name, title, { args, env }) {
  return {
    name,
    title,
    run: async () => {
      const report = join(workspaceRoot, `tmp/test-report-${name}.json`);
      mkdirSync(dirname(report), { recursive: true });
      rmSync(report, { force: true });
      const jest = ['node_modules/jest/bin/jest.js', ...args, '--json', `--outputFile=${report}`];
      const { ok } = await runNode(jest, { env, limitMs: 1_200_000 });
      return outcomeOf(report, ok);
    },
  };
}

/** @returns {import('./outcome.js').Outcome} */
function outcomeOf(/** @type {string} */ report, /** @type {boolean} */ ok) {
  /** @type {JestReport} */
  let results;
  try {
    results = JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return failedOnce;
  }
  // A file that does not even load has no test that could fail.
  const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
  return {
    passed: results.numPassedTests,
    failed: failed === 0 && !ok ? 1 : failed,
    skipped: results.numPendingTests + results.numTodoTests,
    notes: skippedTests(results),
  };
}

/** One line for each group of skipped tests: file, group, how many. */
function skippedTests(/** @type {JestReport} */ results) {
  /** @type {Map<string, number>} */
  const groups = new Map();
  for (const { name, assertionResults } of results.testResults) {
    for (const { status, ancestorTitles, title } of assertionResults) {
      if (status !== 'pending' && status !== 'todo') continue;
      const group = `${relative(workspaceRoot, name)}: ${ancestorTitles[0] ?? title}`;
      groups.set(group, (groups.get(group) ?? 0) + 1);
    }
  }
  return [...groups].map(([group, count]) => `skipped ${count} × ${group}`);
}

/**
 * @typedef {object} JestReport the part of Jest's `--json` that is read here.
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {number} numRuntimeErrorTestSuites
 * @property {{ name: string, assertionResults: { status: string, title: string, ancestorTitles: string[] }[] }[]} testResults
 */
