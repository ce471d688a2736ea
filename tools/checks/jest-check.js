import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { workspaceRoot } from '../workspace/root.js';
import { runNode } from '../workspace/run.js';
import { failedOnce } from './outcome.js';

/** Maximum number of failed files to run again. A slow machine may cause a few failures, but not more. */
const MAY_RUN_AGAIN = 6;
/** Time limit of a run. On two slow processors, the unit tests took 18 minutes. */
const LIMIT_MS = 2_400_000;

/**
 * A check that runs Jest and counts each test. If `CI` is set and only a few files fail, they run again when no other
 * check is running. The summary lists those that pass only in the second run.
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
      const first = await ranJest(name, args, env);
      if (!process.env.CI || first.failedFiles.length === 0 || first.failedFiles.length > MAY_RUN_AGAIN)
        return first.outcome;
      console.log(`\n▶ Again, alone: ${first.failedFiles.join(', ')}`);
      const again = await ranJest(name, argsFor(first.failedFiles, args), env);
      return again.outcome.failed > 0 || again.outcome.passed === 0 ? first.outcome : passedAgain(first);
    },
  };
}

/**
 * Returns the arguments that run only these files, in all projects that contain them. Jest's `--onlyFailures` skips a
 * file that passes in another project.
 * @param {readonly string[]} files @param {readonly string[]} args of the whole run.
 */
export function argsFor(files, args) {
  const options = args.filter((each, index) => each.startsWith('-') || args[index - 1] === '-c');
  return [...options, '--maxWorkers=1', '--coverage=false', '--runTestsByPath', ...files];
}

/** @typedef {{ outcome: import('./outcome.js').Outcome, failedFiles: readonly string[] }} Run */

/** @param {string} name @param {readonly string[]} args @param {Record<string, string>} env @returns {Promise<Run>} */
async function ranJest(name, args, env) {
  const report = join(workspaceRoot, `tmp/test-report-${name}.json`);
  mkdirSync(dirname(report), { recursive: true });
  rmSync(report, { force: true });
  const jest = ['node_modules/jest/bin/jest.js', ...args, '--json', `--outputFile=${report}`];
  const { ok } = await runNode(jest, { env, limitMs: LIMIT_MS });
  return runOf(report, ok);
}

/**
 * @param {Run} parts
 * @returns {import('./outcome.js').Outcome} of a run whose failed files passed when they ran again.
 */
function passedAgain({ outcome, failedFiles }) {
  const { passed, failed, skipped, notes } = outcome;
  const named = failedFiles.map((file) => `failed at first, and passed when it ran again alone: ${file}`);
  return { passed: passed + failed, failed: 0, skipped, notes: [...notes, ...named] };
}

/** @param {string} report @param {boolean} ok @returns {Run} */
function runOf(report, ok) {
  /** @type {JestReport} */
  let results;
  try {
    results = JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return { outcome: failedOnce, failedFiles: [] };
  }
  // A file that cannot be loaded has no failed test, so it is counted separately.
  const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
  const failedFiles = results.testResults.filter(({ status }) => status === 'failed');
  return {
    outcome: {
      passed: results.numPassedTests,
      failed: failed === 0 && !ok ? 1 : failed,
      skipped: results.numPendingTests + results.numTodoTests,
      notes: skippedTests(results),
    },
    failedFiles: failedFiles.map(({ name }) => relative(workspaceRoot, name)),
  };
}

/** Returns one line per group of skipped tests: file, group, number. @param {JestReport} results */
function skippedTests(results) {
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
 * @typedef {object} JestReport the properties of Jest's `--json` that are used here.
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {number} numRuntimeErrorTestSuites
 * @property {{ name: string, status: string, assertionResults: { status: string, title: string, ancestorTitles: string[] }[] }[]} testResults
 */
