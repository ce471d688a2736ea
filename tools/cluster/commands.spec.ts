import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';

import { COMMANDS, obey } from './commands.ts';
import type { Cluster } from './start-cluster.ts';

const root = join(__dirname, '../..');

describe('Commands of a cluster', () => {
  it('have names of check-faults and of docs/faults.md', () => {
    const rows = ['instances', 'postgres', 'redis'].map((name) =>
      readFileSync(join(root, `tools/faults/rows/${name}.js`), 'utf8'),
    );
    const page = readFileSync(join(root, 'docs/faults.md'), 'utf8');
    for (const name of Object.keys(COMMANDS)) {
      expect(rows.join('')).toContain(`name: '${name}'`);
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
    await obey(cluster, Readable.from(['no-such-fault\n', '\n', 'instance-killed\n']), (line) => void said.push(line));
    expect(said[0]).toContain('There is no command "no-such-fault":\n  rolling-restart');
    expect(said.slice(1)).toEqual([
      'instance-killed: kill -9 of the first instance, which starts again 3 s later …',
      'It runs again.',
    ]);
    expect(done).toEqual(['kill', 'start']);
  });
});
