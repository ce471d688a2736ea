import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

import { closingFetch, startApp, type RunningApp } from '@items/testing';

import { createClient, type ItemsClient } from '../index.js';

const root = join(__dirname, '../../../..');
const text = readFileSync(join(root, 'docs/keep-a-copy.md'), 'utf8');
/** Returns the last script of a section. */
const scriptOf = (section: string): string =>
  new RegExp(`^## ${section}\\n.*?^\`\`\`js\\n(.*?)^\`\`\``, 'ms').exec(text)?.[1] ?? '';

describe('docs/keep-a-copy.md', () => {
  let app: RunningApp;
  let client: ItemsClient;
  let folder: string;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    app = await startApp({ database: 'sqlite' });
    client = createClient({ baseUrl: app.baseUrl, auth: { apiKey: app.adminKey }, fetch: closingFetch });
    for (const price of [1.5, 2]) await client.items.create({ name: 'Mug', price });
    mkdirSync(join(root, 'tmp'), { recursive: true });
    folder = mkdtempSync(join(root, 'tmp/keep-a-copy-'));
    env = { ...process.env, ITEMS_URL: app.baseUrl, ITEMS_KEY: app.adminKey };
  });
  afterAll(async () => {
    await app.stop('SIGKILL');
    rmSync(folder, { recursive: true });
  });

  it('has a cache in a Node process, which starts with the service and follows it', async () => {
    writeFileSync(join(folder, 'cache.mjs'), scriptOf('A cache in a Node process'));
    const cache = spawn(process.execPath, ['cache.mjs'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
    const lines: string[] = [];
    createInterface(cache.stdout).on('line', (line) => {
      lines.push(line);
      if (line.startsWith('items:')) void client.items.create({ name: 'Bowl', price: 3 });
      if (lines.filter((each) => each.startsWith('changed:')).length === 2) cache.kill();
    });
    await once(cache, 'exit');
    expect(lines).toEqual(['status: loading', 'changed: 2', 'status: following', 'items: 2', 'changed: 1']);
  });

  it('has a file for reports, which continues where it stopped', async () => {
    writeFileSync(join(folder, 'report.mjs'), scriptOf('A file for reports'));
    const report = async (): Promise<string> =>
      (await promisify(execFile)(process.execPath, ['report.mjs'], { cwd: folder, env })).stdout;
    expect(await report()).toBe('3 items, 6.5 in all\n');
    await client.items.create({ name: 'Jug', price: 4 });
    expect(await report()).toBe('4 items, 10.5 in all\n');
  });
});
