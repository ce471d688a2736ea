import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { workspacePath, workspaceRoot } from '../workspace/root.ts';
import { runNode } from '../workspace/run.ts';
import { failedOnce, type Check, type Outcome } from './outcome.ts';

/** Maximum number of failed files to run again. A slow machine may cause a few failures, but not more. */
const MAY_RUN_AGAIN = 6;
/** Time limit of a run. On two slow processors, the unit tests took 18 minutes. */
const LIMIT_MS = 2_400_000;
const SELECTION = '--testNamePattern=';

interface JestOptions {
  args: readonly string[];
  env: Record<string, string>;
}

/**
 * A check that runs Jest and counts each test. If `CI` is set and only a few files fail, they run again when no other
 * check is running, except after a violation. The summary lists files that pass only in the second run.
 */
export function jestCheck(name: string, title: string, options: JestOptions): Check {
  return {
    name,
    title,
    run: async () => {
      const first = await ranJest(name, options);
      const count = first.failedFiles.length;
      if (!process.env.CI || first.isViolated || count === 0 || count > MAY_RUN_AGAIN) return first.outcome;
      return { ...first.outcome, again: () => runAgain(name, options, first) };
    },
  };
}

/** Runs the failed files again. Returns the first outcome if they fail again. */
async function runAgain(name: string, options: JestOptions, first: Run): Promise<Outcome> {
  console.log(`\n▶ Again, alone: ${first.failedFiles.join(', ')}`);
  const { outcome } = await ranJest(name, { ...options, args: argsFor(first.failedFiles, options.args) });
  return outcome.failed > 0 || outcome.passed === 0 ? first.outcome : passedAgain(first);
}

/**
 * Returns the arguments that run only these files, in all projects that contain them. Jest's `--onlyFailures` skips a
 * file that passes in another project.
 * @param args of the whole run.
 */
export function argsFor(files: readonly string[], args: readonly string[]) {
  const options = args.filter((each, index) => each.startsWith('-') || args[index - 1] === '-c');
  return [...options, '--maxWorkers=1', '--coverage=false', '--runTestsByPath', ...files];
}

interface Run {
  outcome: Outcome;
  failedFiles: readonly string[];
  isViolated: boolean;
}

async function ranJest(name: string, { args, env }: JestOptions): Promise<Run> {
  const report = workspacePath(`tmp/test-report-${name}.json`);
  mkdirSync(dirname(report), { recursive: true });
  rmSync(report, { force: true });
  const jest = ['node_modules/jest/bin/jest.js', ...args, '--json', `--outputFile=${report}`];
  const { ok } = await runNode(jest, { env, limitMs: LIMIT_MS });
  const selection = args.find((arg) => arg.startsWith(SELECTION))?.slice(SELECTION.length);
  return runOf(report, ok, new RegExp(selection ?? '', 'i'));
}

/** A violated promise of consistency is a defect, although the next random history may keep the promise. */
export function isViolation(message: string) {
  return message.includes('Violation: ');
}

function passedAgain({ outcome, failedFiles }: Run): Outcome {
  const { passed, failed, skipped, notes } = outcome;
  const named = failedFiles.map((file) => `failed at first, and passed when it ran again alone: ${file}`);
  return { passed: passed + failed, failed: 0, skipped, notes: [...notes, ...named] };
}

function runOf(report: string, ok: boolean, selection: RegExp): Run {
  if (!existsSync(report)) return { outcome: failedOnce, failedFiles: [], isViolated: false };
  const results: JestReport = JSON.parse(readFileSync(report, 'utf8'));
  // A file that cannot be loaded has no failed test, so it is counted separately.
  const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
  const skipped = skippedTests(results, selection);
  const skippedCount = [...skipped.values()].reduce((sum, count) => sum + count, 0);
  // True if the selection matches no test.
  const hasNone = results.numPassedTests + skippedCount === 0;
  const failedFiles = results.testResults.filter(({ status }) => status === 'failed');
  return {
    outcome: {
      passed: results.numPassedTests,
      failed: failed === 0 && (!ok || hasNone) ? 1 : failed,
      skipped: skippedCount,
      notes: [...skipped].map(([group, count]) => `skipped ${count} × ${group}`),
    },
    failedFiles: failedFiles.map(({ name }) => relative(workspaceRoot, name)),
    isViolated: failedFiles.some(({ message }) => isViolation(message)),
  };
}

/**
 * Counts skipped tests by file and group.
 * @param selection names of the tests to run. Jest reports all others as skipped, too.
 */
export function skippedTests(results: Pick<JestReport, 'testResults'>, selection: RegExp) {
  const groups = new Map<string, number>();
  for (const { name, assertionResults } of results.testResults) {
    for (const { status, ancestorTitles, title, fullName } of assertionResults) {
      if ((status !== 'pending' && status !== 'todo') || !selection.test(fullName)) continue;
      const group = `${relative(workspaceRoot, name)}: ${ancestorTitles[0] ?? title}`;
      groups.set(group, (groups.get(group) ?? 0) + 1);
    }
  }
  return groups;
}

/** The properties of Jest's `--json` that are used here. */
interface JestReport {
  numPassedTests: number;
  numFailedTests: number;
  numRuntimeErrorTestSuites: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { status: string; title: string; fullName: string; ancestorTitles: string[] }[];
  }[];
}
