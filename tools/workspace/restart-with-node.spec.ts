import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Starts in this process and continues in another process with the same Node. */
const SCRIPT = `
  if (process.env.HANDED_OVER === undefined) {
    process.env.HANDED_OVER = 'yes';
    const { restartWithNode } = await import(${JSON.stringify(pathToFileURL(join(__dirname, 'restart-with-node.js')).href)});
    await restartWithNode(process.execPath);
  }
  const { stopWithParent } = await import(${JSON.stringify(pathToFileURL(join(__dirname, 'stop-with-parent.js')).href)});
  stopWithParent();
  const [what, value] = process.argv.slice(2);
  if (what === 'exit') process.exitCode = Number(value);
  if (what === 'kill') process.kill(process.pid, value);
  if (what === 'wait') {
    const waiting = setInterval(() => undefined, 1000);
    for (const signal of ['SIGINT', 'SIGTERM'])
      process.once(signal, () => { console.log(signal); process.exitCode = 7; clearInterval(waiting); });
  }
  console.log(what);
`;

describe('A script that continues in another Node', () => {
  const folder = mkdtempSync(join(tmpdir(), 'items-node-'));
  const script = join(folder, 'script.mjs');

  beforeAll(() => writeFileSync(script, SCRIPT));
  afterAll(() => rmSync(folder, { recursive: true }));

  function start(...args: readonly string[]) {
    const { npm_lifecycle_event: _, ...env } = process.env;
    const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'], env });
    const ended = once(child, 'exit');
    const lines: string[] = [];
    const [closed, said] = [once(child.stdout, 'end'), once(child.stdout.setEncoding('utf8'), 'data')];
    child.stdout.on('data', (text) => lines.push(...text.trim().split('\n')));
    return { child, lines, ended, closed, said };
  }

  it("ends with the script's exit code", async () => {
    const { lines, ended, closed } = start('exit', '3');
    expect(await ended).toEqual([3, null]);
    await closed;
    expect(lines).toEqual(['exit']);
  });

  it("ends with the script's signal", async () => {
    expect(await start('kill', 'SIGKILL').ended).toEqual([null, 'SIGKILL']);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('gets %s, and determines the exit code', async (signal) => {
    const { child, lines, said, ended, closed } = start('wait');
    await said;
    child.kill(signal);
    expect(await ended).toEqual([7, null]);
    await closed;
    expect(lines[1]).toBe(signal);
  });

  it('is terminated if the first process is killed', async () => {
    const { child, lines, said, closed } = start('wait');
    await said;
    child.kill('SIGKILL');
    await closed;
    expect(lines[1]).toBe('SIGTERM');
  });
});
