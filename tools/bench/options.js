import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';

import { PURGE, rowNamed, rows } from './rows.js';
import { workspacePath } from './server-process.js';

export function readOptions() {
  const { values } = parseArgs({
    options: {
      rows: { type: 'string' },
      connections: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      items: { type: 'string', default: '100000' },
      node: { type: 'string', default: process.execPath },
      out: { type: 'string' },
      quick: { type: 'boolean', default: false },
    },
  });
  const names = values.rows?.split(',');
  const isWhole = !values.quick && names === undefined && values.connections === undefined;
  const [rounds, seconds] = values.quick ? [3, 0.3] : [9, 0.5];
  return {
    rows: names?.filter((name) => name !== PURGE).map(rowNamed) ?? rows,
    purge: names?.includes(PURGE) ?? isWhole,
    connections: (values.connections ?? (values.quick ? '32' : '1,16,32,64')).split(',').map(Number),
    effort: {
      rounds: Number(values.rounds ?? rounds),
      seconds: Number(values.seconds ?? seconds),
      items: Number(values.items),
    },
    node: values.node,
    nodeVersion: execFileSync(values.node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim(),
    // Only a complete run may overwrite the figures of the documentation.
    out: values.out ?? workspacePath(isWhole ? 'docs/benchmarks' : 'tmp/benchmarks'),
  };
}
