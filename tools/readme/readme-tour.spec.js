import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { startApp } from '@items/testing';

import { consoleCommands, outputPattern } from './console-blocks.js';

const run = promisify(execFile);
const commands = consoleCommands(readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8'));
const hasCurl = spawnSync('bash', ['-c', 'curl --version']).status === 0;
const describeWithCurl = hasCurl ? describe : describe.skip;

describeWithCurl('The tour of the README', () => {
  /** @type {Awaited<ReturnType<typeof startApp>>} */
  let app;
  let assignments = '';

  beforeAll(async () => {
    app = await startApp({ database: 'sqlite' });
  }, 40_000);

  afterAll(() => app?.stop());

  it('has commands', () => {
    expect(commands.length).toBeGreaterThan(8);
  });

  it.each(commands)('$command', async ({ command, output }) => {
    const script = `${assignments}${command}`.replaceAll('http://localhost:3000', app.baseUrl);
    const { stdout } = await run('bash', ['-c', script], { env: { ...process.env, ADMIN_API_KEY: app.adminKey } });
    if (/^[A-Z]+=/.test(command)) assignments += `${command}\n`;
    expect(stdout.replaceAll('\r', '').trim()).toMatch(outputPattern(output));
  });
});
