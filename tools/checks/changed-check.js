import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { workspaceRoot } from '../workspace/root.js';
import { runNode } from '../workspace/run.js';
import { failedOnce, passedOnce, skippedOnce } from './outcome.js';

const eslint = ['node_modules/eslint/bin/eslint.js', '--max-warnings=0', '--no-warn-ignored'];
const prettier = ['node_modules/prettier/bin/prettier.cjs', '--check', '--ignore-unknown'];

/**
 * Lints and formats only uncommitted files. All files would take two minutes.
 * @type {import('./outcome.js').Check}
 */
export const changedCheck = {
  name: 'changed',
  title: 'Lint and form of what has changed',
  isQuick: true,
  isPart: true,
  run: async () => {
    const files = changedFiles();
    if (files.length === 0) return skippedOnce('nothing has changed since the last commit');
    const sources = files.filter((file) => /\.[jt]s$/.test(file));
    const formed = await passes([...prettier, ...files]);
    const linted = sources.length === 0 || (await passes([...eslint, ...sources]));
    return formed && linted ? passedOnce : failedOnce;
  },
};

/** @returns {string[]} existing files that were changed or added since the last commit. */
function changedFiles() {
  const git = (/** @type {string[]} */ ...args) =>
    spawnSync('git', args, { cwd: workspaceRoot, encoding: 'utf8' }).stdout.split('\n');
  const all = [...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')];
  return all.filter((file) => file !== '' && existsSync(`${workspaceRoot}/${file}`));
}

/** @param {string[]} args @returns {Promise<boolean>} whether a command succeeds. Prints the output of a failure. */
async function passes(args) {
  const { ok, output } = await runNode(args, { output: 'collect' });
  if (!ok) console.error(output.trimEnd());
  return ok;
}
