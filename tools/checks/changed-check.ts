import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { workspaceRoot } from '../workspace/root.ts';
import { runNode } from '../workspace/run.ts';
import { failedOnce, passedOnce, skippedOnce, type Check } from './outcome.ts';

const eslint = ['node_modules/eslint/bin/eslint.js', '--max-warnings=0', '--no-warn-ignored'];
const oxlint = ['node_modules/oxlint/bin/oxlint', '--deny-warnings', '--no-error-on-unmatched-pattern'];
const prettier = ['node_modules/prettier/bin/prettier.cjs', '--check', '--ignore-unknown'];

/** Checks lint and format of uncommitted files; all would take a minute. */
export const changedCheck: Check = {
  name: 'changed',
  title: 'Lint and format of changed files',
  isQuick: true,
  isPart: true,
  run: async () => {
    const files = changedFiles();
    if (files.length === 0) return skippedOnce('nothing has changed since the last commit');
    const sources = files.filter((file) => /\.[jt]s$/.test(file));
    const formed = await passes([...prettier, ...files]);
    if (sources.length === 0) return formed ? passedOnce : failedOnce;
    const linted = await passes([...eslint, ...sources]);
    const typed = await passes([...oxlint, ...sources]);
    return formed && linted && typed ? passedOnce : failedOnce;
  },
};

/** Lists the existing files that were changed or added since the last commit. */
function changedFiles(): string[] {
  const git = (...args: string[]) =>
    spawnSync('git', args, { cwd: workspaceRoot, encoding: 'utf8' }).stdout.split('\n');
  const all = [...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')];
  return all.filter((file) => file !== '' && existsSync(`${workspaceRoot}/${file}`));
}

async function passes(args: string[]): Promise<boolean> {
  const { ok, output } = await runNode(args, { output: 'collect' });
  if (!ok) console.error(output.trimEnd());
  return ok;
}
