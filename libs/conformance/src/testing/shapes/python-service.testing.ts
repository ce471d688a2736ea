import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type NamingOptions } from '../../naming/naming.js';

export const hasPython = spawnSync('python3', ['--version']).status === 0;

/** Faults of the service in Python, one wrong step each. */
export const pythonFaults: readonly string[] = [
  ...['created', 'filter', 'html', 'malformed', 'merge', 'message', 'offset', 'required', 'sort', 'unknown'],
  'endless-null',
  'crash',
];

export const pythonNaming: NamingOptions = {
  ...{ collection: '/books', member: 'result.books', create: { title: 'x', author: 'ada' }, required: 'title' },
  ...{ sort: 'year', filter: { name: 'author', value: 'ada' }, nextCursor: 'result.next', query: { cursor: 'from' } },
};

export async function startPython(fault = ''): Promise<{ url: string; stop: () => void }> {
  const child = spawn('python3', [join(__dirname, 'service.testing.py'), fault], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: `http://127.0.0.1:${port.toString().trim()}`, stop: () => void child.kill() };
}
