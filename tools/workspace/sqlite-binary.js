import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/*
 * After an installation: gets the binary of better-sqlite3 12, or compiles it, on Node 20 alone. Node 22 and later use
 * version 13, which brings its binaries in its package (ADR 22); npm would compile version 12 there for nothing.
 */
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

if (Number(process.versions.node.split('.')[0]) < 22 && !loads()) {
  const { status } = spawnSync('npm', ['run', 'install', '--silent'], {
    cwd: join(root, 'node_modules/better-sqlite3'),
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  process.exitCode = status ?? 1;
}

function loads() {
  try {
    new (createRequire(join(root, 'package.json'))('better-sqlite3'))(':memory:').close();
    return true;
  } catch {
    return false;
  }
}
