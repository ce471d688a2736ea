import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { workspaceRoot } from '../workspace/root.js';
import { runNode } from '../workspace/run.js';
import { failedOnce } from './outcome.js';

/** Files that may fail for what else a slow machine does; more are no accident. */
const MAY_RUN_AGAIN = 6;
/** A run that takes longer hangs: on two slow processors the unit tests took 18 minutes. */
const LIMIT_MS = 2_400_000;

/**
 * A check that is a run of Jest: each test counts. With `CI` set, few files that fail run once more, when nothing else
 * does; the summary names those that pass only then.
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
 * The arguments that run these files alone, in all projects that have them: Jest's `--onlyFailures` forgets a file that
 * passes in another project.
 * @param {readonly string[]} files @param {readonly string[]} args of the whole run
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

/** @returns {import('./outcome.js').Outcome} of a run whose failures were none when they ran again. */
function passedAgain(/** @type {Run} */ { outcome, failedFiles }) {
  const { passed, failed, skipped, notes } = outcome;
  const named = failedFiles.map((file) => `failed at first, and passed when it ran again alone: ${file}`);
  return { passed: passed + failed, failed: 0, skipped, notes: [...notes, ...named] };
}

/** @returns {Run} */
function runOf(/** @type {string} */ report, /** @type {boolean} */ ok) {
  /** @type {JestReport} */
  let results;
  try {
    results = JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return { outcome: failedOnce, failedFiles: [] };
  }
  // A file that does not even load has no test that could fail.
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
 * @property {{ name: string, status: string, assertionResults: { status: string, title: string, ancestorTitles: string[] }[] }[]} testResults
 */
