import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import type { DatabaseConfig } from '../database/database-options.js';

import { openItems } from './database.testing.js';
import { Deletions } from './deletions.testing.js';
import { ItemWriters } from './item-writers.testing.js';
import { Random } from './random.testing.js';

const CONFIG = 'WRITING_PROCESS_DATABASE';
const WRITERS = 9;

/** Starts a process that writes items, and kills it during its work. */
export async function writeAndCrash(config: DatabaseConfig, afterMs: number): Promise<void> {
  const child = writingProcess(config);
  await once(child.stdout!, 'data');
  await sleep(afterMs);
  child.kill('SIGKILL');
  await once(child, 'exit');
}

function writingProcess(config: DatabaseConfig): ChildProcess {
  const root = fileURLToPath(new URL('../../../../../', import.meta.url));
  const compile = ['--conditions', '@items/source', '--import', '@swc-node/register/esm-register'];
  return spawn(process.execPath, [...compile, fileURLToPath(import.meta.url).replace(/\.js$/, '.ts')], {
    cwd: root,
    env: { ...process.env, SWC_NODE_PROJECT: `${root}tsconfig.base.json`, [CONFIG]: JSON.stringify(config) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function writeForEver(config: DatabaseConfig): Promise<void> {
  const database = await openItems(config);
  const writers = new ItemWriters(database, new Random(1), new Deletions(), []);
  await writers.fill();
  process.stdout.write('writing\n');
  await Promise.all(Array.from({ length: WRITERS }, () => writers.write(() => false)));
}

const given = process.env[CONFIG];
if (given !== undefined) void writeForEver(JSON.parse(given) as DatabaseConfig);
