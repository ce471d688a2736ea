import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import type { DatabaseConfig } from '../data/database/database-options.js';

import { operations } from './operations.js';
import { runOperation } from './run-program.js';
import { operationContext, SCHEMA } from './service.testing.js';

const WORK = 'OPERATION_PROCESS_WORK';

interface Work {
  readonly database: DatabaseConfig;
  readonly name: string;
  readonly args: readonly string[];
}

export interface Ended {
  readonly signal: NodeJS.Signals | null;
  readonly text: string;
}

export interface OperationProcess {
  readonly ended: Promise<Ended>;
  kill(): void;
}

/** @param maxFileKb maximum size of files, to simulate a full disk. */
export function startOperation(work: Work, maxFileKb?: number): OperationProcess {
  const root = fileURLToPath(new URL('../../../../', import.meta.url));
  const script = fileURLToPath(import.meta.url).replace(/\.js$/, '.ts');
  const compile = ['--conditions', '@items/source', '--import', '@swc-node/register/esm-register'];
  const limit = maxFileKb === undefined ? '' : `ulimit -f ${String(maxFileKb)}; `;
  const child = spawn('bash', ['-c', `${limit}exec "$@"`, 'bash', process.execPath, ...compile, script], {
    cwd: root,
    env: { ...process.env, SWC_NODE_PROJECT: `${root}tsconfig.base.json`, [WORK]: JSON.stringify(work) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const output of [child.stdout, child.stderr]) output.on('data', (part: Buffer) => (text += part.toString()));
  const ended = new Promise<Ended>((resolve) => child.once('close', (_code, signal) => resolve({ signal, text })));
  return { ended, kill: () => void child.kill('SIGKILL') };
}

async function run({ database, name, args }: Work): Promise<void> {
  try {
    const print = (line: string): void => void process.stdout.write(`${line}\n`);
    const done = await runOperation(operations, [name, ...args], () => operationContext(database, SCHEMA, { print }));
    process.stdout.write(`${done}\n`);
  } catch (error) {
    process.stdout.write(`${String(error)}\n`);
  }
}

const given = process.env[WORK];
if (given !== undefined) void run(JSON.parse(given) as Work);
