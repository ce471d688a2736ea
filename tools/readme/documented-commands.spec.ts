import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { startApp } from '@items/testing';

import { consoleCommands, outputPattern } from './console-blocks.ts';

const run = promisify(execFile);
const commandsOf = (page: string) => consoleCommands(readFileSync(join(import.meta.dirname, '../..', page), 'utf8'));
const hasCurl = spawnSync('bash', ['-c', 'curl --version']).status === 0;
const describeWithCurl = hasCurl ? describe : describe.skip;

describeWithCurl.each(['README.md', 'docs/calling.md'])('The commands of %s', (page) => {
  const commands = commandsOf(page);
  let app: Awaited<ReturnType<typeof startApp>>;
  let assignments = '';

  beforeAll(async () => {
    app = await startApp({ database: 'sqlite' });
  });

  afterAll(() => app?.stop());

  it('exist', () => {
    expect(commands.length).toBeGreaterThan(3);
  });

  it.each(commands)('print the output of the page: $command', async ({ command, output }) => {
    const [, name] = /^([A-Z_]+)=/.exec(command) ?? [];
    // A variable keeps its value for later commands, as in a shell.
    const kept = name === undefined ? '' : `\nprintf '\\0'; declare -p ${name}`;
    const script = `${assignments}${command}${kept}`.replaceAll('http://localhost:3000', app.baseUrl);
    const { stdout } = await run('bash', ['-c', script], { env: { ...process.env, ADMIN_API_KEY: app.adminKey } });
    const [printed = '', declared = ''] = stdout.split('\0');
    assignments += declared;
    expect(printed.replaceAll('\r', '').trim()).toMatch(outputPattern(output));
  });
});
