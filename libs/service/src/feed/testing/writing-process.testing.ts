import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import type { DatabaseConfig } from '../../data/database/database-options.js';

import { AUDITED, Library, openLibrary } from './library.testing.js';
import { Writer, type Write } from './writers.testing.js';

const GIVEN = 'WRITING_PROCESS';
/** File descriptor. Access to `process.stdout` would make the pipe non-blocking. */
const STDOUT = 1;
const SKEW_MS = -3000;

interface Given {
  readonly config: DatabaseConfig;
  readonly writers: number;
}

export interface OtherInstance {
  /** Kills the process during its work. @returns The writes that it had reported. */
  kill(): Promise<Write[]>;
}

export async function otherInstance(given: Given): Promise<OtherInstance> {
  const root = fileURLToPath(new URL('../../../../../', import.meta.url));
  const compile = ['--conditions', '@items/source', '--import', '@swc-node/register/esm-register'];
  const child = spawn(process.execPath, [...compile, fileURLToPath(import.meta.url).replace(/\.js$/, '.ts')], {
    cwd: root,
    env: { ...process.env, SWC_NODE_PROJECT: `${root}tsconfig.base.json`, [GIVEN]: JSON.stringify(given) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const told = new Map<string, Write>();
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    if (!line.endsWith(';')) return;
    const [name, write] = JSON.parse(line.slice(0, -1)) as [string, Write];
    told.set(name, write);
  });
  const ended = once(lines, 'close');
  await once(lines, 'line');
  return {
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
      return [...told.values()];
    },
  };
}

async function writeForEver({ config, writers }: Given): Promise<void> {
  const realNow = Date.now;
  Date.now = () => realNow() + SKEW_MS;
  const library = await Library.begun(await openLibrary(config), AUDITED, 'related');
  await Promise.all(
    Array.from({ length: writers }, (_, slot) => {
      const name = `other${String(slot)}`;
      const journal = (number: number, write: Write): void => {
        // Synchronous, because `process.stdout` buffers data that a full pipe does not accept, and a kill would lose
        // it.
        writeSync(STDOUT, `${JSON.stringify([`${name} ${String(number)}`, write])};\n`);
      };
      return new Writer(library, name, journal).writeUntil(() => false);
    }),
  );
}

const given = process.env[GIVEN];
if (given !== undefined) void writeForEver(JSON.parse(given) as Given);
