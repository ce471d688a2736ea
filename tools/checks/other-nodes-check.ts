import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { delimiter, join } from 'node:path';
import { workspacePath } from '../workspace/root.ts';
import { run, runNpm } from '../workspace/run.ts';
import { shortBlackBox, without } from './chosen-specs.ts';
import { failedOnce, passedOnce, skippedOnce, type Check } from './outcome.ts';

/** The oldest supported Node of each range, and the arguments of Jest for the tests to run on it. */
const OLDEST = [
  { version: '22.16.0', what: 'the service, end to end', args: shortBlackBox },
  { version: '22.16.0', what: 'SQLite', args: ['libs/service/src/data/'] },
  {
    version: '20.19.0',
    what: 'packages for callers and browsers',
    args: [
      ...['--selectProjects', 'client', 'conventions', 'dtos', 'fields'],
      // The excluded specs start the service or use `node:sqlite`. Both need Node 22.16.
      ...without([
        ...['client/src/service', 'client/src/oauth/service', 'client/src/replica/service', 'client/src/replica/keep'],
        ...['client/src/admin', 'client/src/receivers', 'client/src/readme', 'client/src/tanstack-db'],
        'client/src/replica/sqlite',
      ]),
    ],
  },
];
const folder = workspacePath('tmp/other-nodes');
const system = `${platform() === 'win32' ? 'win' : platform()}-${arch()}`;

/**
 * Runs tests on the oldest supported versions of Node, installed from the npm registry. `npm test` itself runs on the
 * current Node, which should be the newest.
 */
export const otherNodesCheck: Check = {
  name: 'other-nodes',
  title: `Tests on the oldest Node: ${[...new Set(OLDEST.map(({ version }) => version))].join(', ')}`,
  isLong: true,
  run: async () => {
    const notes = [];
    for (const { version, what, args } of OLDEST) {
      const node = await install(version);
      if (node === undefined) return skippedOnce(`the registry has no binary of Node ${version} for ${system}`);
      console.log(`On Node ${version}: ${what}`);
      const env = { PATH: [join(node, '..'), process.env.PATH].join(delimiter), E2E_DATABASES: 'sqlite' };
      const jest = (...more: string[]) => run(node, ['node_modules/jest/bin/jest.js', ...args, ...more], { env });
      if ((await jest()).ok) continue;
      // Failed files run again, as in jest-check.ts.
      if (!process.env.CI || !(await jest('--onlyFailures', '--maxWorkers=1')).ok) return failedOnce;
      notes.push(`some of ${what} failed at first on Node ${version}, and passed when it ran again alone`);
    }
    return { ...passedOnce, notes };
  },
};

/** Installs a version of Node, and returns the path of its executable. */
async function install(version: string): Promise<string | undefined> {
  const place = join(folder, version);
  const binary = join(place, 'node_modules', `node-${system}`, 'bin/node');
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'package.json'), '{ "private": true }\n');
  const words = ['install', '--no-audit', '--no-fund', '--prefix', place, `node-${system}@${version}`];
  const { ok } = await runNpm(words, { cwd: place, output: 'collect' });
  return ok && existsSync(binary) ? binary : undefined;
}
