import './workspace/require-node.js';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { workspaceRoot } from './workspace/root.js';
import { run, runNpm } from './workspace/run.js';

/*
 * Runs the tests on the newer Node that the container image uses. It comes from the npm registry like everything else,
 * with the SQLite driver that this Node has no use for. `node tools/test-newer-node.js unit` runs only the checks of
 * these names.
 */
const newer = 24;
const named = process.argv.slice(2);
const checks = named.length > 0 ? named : ['unit', 'e2e-sqlite'];
const folder = join(workspaceRoot, 'tmp/newer-node');
const nodeFolder = join(folder, 'node_modules', `node-${platform() === 'win32' ? 'win' : platform()}-${arch()}`);

if (Number(process.versions.node.split('.')[0]) >= newer) {
  console.log(`Skipped the tests on Node ${newer}: this is Node ${process.versions.node} already.`);
} else if (await installNode()) {
  process.exitCode = (await testOnNewerNode()) ? 0 : 1;
} else {
  console.log(`\nSKIPPED the tests on Node ${newer}: the registry gives no binary of it for ${platform()} ${arch()}.`);
}

async function installNode() {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  console.log(`\nInstalling Node ${newer} …`);
  const packages = [`${basename(nodeFolder)}@${newer}`, driver()];
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

async function testOnNewerNode() {
  const env = {
    PATH: [join(nodeFolder, 'bin'), process.env.PATH].join(delimiter),
    NODE_PATH: join(folder, 'node_modules'),
  };
  return (await run(join(nodeFolder, 'bin/node'), ['tools/test.js', ...checks], { env })).ok;
}
