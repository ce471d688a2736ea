import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';

import { COMMANDS, runCommands } from './commands.ts';
import type { Cluster } from '@items/testing';

const root = join(__dirname, '../..');

describe('Commands of a cluster', () => {
  it('have names of tests and of docs/faults.md', () => {
    const specs = ['instances', 'postgres', 'redis'].map((name) =>
      readFileSync(join(root, `apps/api-e2e/src/faults/${name}.spec.ts`), 'utf8'),
    );
    const page = readFileSync(join(root, 'docs/faults.md'), 'utf8');
    for (const name of Object.keys(COMMANDS)) {
      expect(specs.join('')).toMatch(new RegExp(`fault\\(\\s*'${name}',`));
      expect(page).toContain(`\`${name}\``);
    }
  });

  it('are run by name, and an unknown name lists them', async () => {
    const said: string[] = [];
    const done: string[] = [];
    const first = {
      program: { end: async () => void done.push('end'), kill: async () => void done.push('kill') },
      startAgain: async () => void done.push('start'),
    };
    const cluster = { instances: [first] } as unknown as Cluster;
    await runCommands(
      cluster,
      Readable.from(['no-such-fault\n', '\n', 'instance-killed\n']),
      (line) => void said.push(line),
    );
    expect(said[0]).toContain('There is no command "no-such-fault":\n  rolling-restart');
    expect(said.slice(1)).toEqual([
      'instance-killed: kill -9 of the first instance, which starts again 3 s later …',
      'It runs again.',
    ]);
    expect(done).toEqual(['kill', 'start']);
  });
});
