import './workspace/require-node.js';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { workspaceRoot } from './workspace/root.js';
import { run, runNpm } from './workspace/run.js';

/*
 * Runs the tests on the newer Node that the container image uses, which comes from the npm registry like everything
 * else. They run in a copy of the workspace, because the SQLite driver's binary part fits one version of Node only.
 * `node tools/test-newer-node.js unit` runs only the checks of these names.
 */
const newer = 24;
const named = process.argv.slice(2);
const checks = named.length > 0 ? named : ['types', 'unit', 'e2e-sqlite'];
const folder = join(workspaceRoot, 'tmp/newer-node');
const copy = join(folder, 'workspace');

if (Number(process.versions.node.split('.')[0]) >= newer) {
  console.log(`Skipped the tests on Node ${newer}: this is Node ${process.versions.node} already.`);
} else if (await installNode()) {
  process.exitCode = (await testOnNewerNode()) ? 0 : 1;
} else {
  console.log(`\nSKIPPED the tests on Node ${newer}: the registry gives no binary of it for ${platform()} ${arch()}.`);
}

function nodeFolder() {
  return join(folder, 'node_modules', `node-${platform() === 'win32' ? 'win' : platform()}-${arch()}`);
}

async function installNode() {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  console.log(`\nInstalling Node ${newer} …`);
  const name = `${basename(nodeFolder())}@${newer}`;
  const { ok } = await runNpm(['install', '--no-audit', '--no-fund', '--prefix', folder, name], {
    cwd: folder,
    output: 'collect',
  });
  return ok && existsSync(join(nodeFolder(), 'bin/node'));
}

async function testOnNewerNode() {
  await copyWorkspace();
  const path = [join(nodeFolder(), 'bin'), process.env.PATH].join(delimiter);
  const options = { cwd: copy, env: { PATH: path } };
  console.log('Compiling better-sqlite3 for it where no prebuilt binary can be had: one to two minutes.');
  const rebuilt = await runNpm(['rebuild', 'better-sqlite3', `--nodedir=${nodeFolder()}`], {
    ...options,
    env: { ...options.env, JOBS: 'max' },
    output: 'collect',
  });
  if (!rebuilt.ok) {
    console.error(rebuilt.output);
    return false;
  }
  return (await run(join(nodeFolder(), 'bin/node'), ['tools/test.js', ...checks], options)).ok;
}

/** The sources as they are, and the dependencies as links to the same files, but for the one that is compiled anew. */
async function copyWorkspace() {
  const left = new Set(['.git', '.nx', 'coverage', 'data', 'node_modules', 'tmp']);
  for (const name of readdirSync(workspaceRoot).filter((name) => !left.has(name))) {
    const filter = (/** @type {string} */ source) => !['dist', 'node_modules'].includes(basename(source));
    cpSync(join(workspaceRoot, name), join(copy, name), { recursive: true, filter });
  }
  await run('sh', ['-c', 'cp -al node_modules "$0" 2>/dev/null || cp -a node_modules "$0"', copy]);
  const driver = 'node_modules/better-sqlite3';
  rmSync(join(copy, driver), { recursive: true });
  cpSync(join(workspaceRoot, driver), join(copy, driver), { recursive: true });
}
