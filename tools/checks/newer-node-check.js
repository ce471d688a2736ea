import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { workspaceRoot } from '../workspace/root.js';
import { run, runNpm } from '../workspace/run.js';
import { failedOnce, passedOnce, skippedOnce } from './outcome.js';

/** What the container image uses. */
const NEWER = 24;
const TESTS = ['unit', 'e2e-sqlite', 'coverage'];
const folder = join(workspaceRoot, 'tmp/newer-node');
const nodeFolder = join(folder, 'node_modules', `node-${platform() === 'win32' ? 'win' : platform()}-${arch()}`);

/**
 * Runs the tests on the newer Node, and counts there what they cover: that would make each `npm test` a quarter longer. It comes from the npm registry like everything else, with the SQLite driver that
 * this Node has no use for.
 * @type {import('./outcome.js').Check}
 */
export const newerNodeCheck = {
  name: 'newer-node',
  title: `Tests on Node ${NEWER}, and what they cover`,
  isLong: true,
  run: async () => {
    if (Number(process.versions.node.split('.')[0]) >= NEWER) return skippedOnce('this is such a Node already');
    if (!(await installNode())) {
      return skippedOnce(`the registry gives no binary of Node ${NEWER} for ${platform()} ${arch()}`);
    }
    const env = {
      PATH: [join(nodeFolder, 'bin'), process.env.PATH].join(delimiter),
      NODE_PATH: join(folder, 'node_modules'),
    };
    const { ok } = await run(join(nodeFolder, 'bin/node'), ['tools/test.js', ...TESTS], { env });
    return ok ? passedOnce : failedOnce;
  },
};

async function installNode() {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const packages = [`${basename(nodeFolder)}@${NEWER}`, driver()];
  const install = ['install', '--no-audit', '--no-fund', '--prefix', folder, ...packages];
  const { ok } = await runNpm(install, { cwd: folder, output: 'collect' });
  return ok && existsSync(join(nodeFolder, 'bin/node'));
}

/** Under the name and in the version that libs/sqlite-driver asks for. */
function driver() {
  const manifest = readFileSync(join(workspaceRoot, 'libs/sqlite-driver/package.json'), 'utf8');
  const [name = '', version = ''] = Object.entries(JSON.parse(manifest).optionalDependencies).flat();
  return `${name}@${version}`;
}
