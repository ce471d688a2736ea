import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

import { closingFetch, startApp } from '@items/testing';
import { transform, stop } from 'esbuild';
import { Webhook } from 'standardwebhooks';

const root = join(__dirname, '../../..');
const section = /^## Receive events\n(.*?)^## /ms.exec(readFileSync(join(root, 'docs/calling.md'), 'utf8'))?.[1] ?? '';
const block = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(section)?.[1] ?? '';
const hasCurl = spawnSync('bash', ['-c', 'curl --version']).status === 0;

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0))
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid);
});
// The process of esbuild would prevent Jest from exiting.
afterAll(() => stop());

/** Reads the output lines of a program. */
function lines(command: string, args: readonly string[], env: Record<string, string>): AsyncIterator<string> {
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  children.push(child);
  return createInterface(child.stdout)[Symbol.asyncIterator]();
}

describe('"Receive events" of docs/calling.md', () => {
  (hasCurl ? it : it.skip)('follows the feed with curl', async () => {
    const app = await startApp({ database: 'sqlite' });
    try {
      const headers = { 'x-api-key': app.adminKey, 'content-type': 'application/json' };
      const create = (name: string): Promise<Response> =>
        closingFetch(`${app.baseUrl}/items`, { method: 'POST', headers, body: JSON.stringify({ name }) });
      const feed = (await (await closingFetch(`${app.baseUrl}/events`, { headers })).json()) as { after: string };
      // The program prints a line after its start.
      const script = block('sh')
        .replaceAll('http://localhost:3000', app.baseUrl)
        .replace('\nwhile', '\necho "$AFTER"\nwhile');
      const pages = lines('bash', ['-c', script], { ADMIN_API_KEY: app.adminKey });
      expect((await pages.next()).value).toBe(feed.after);
      const told: string[] = [];
      for (const name of ['Mug', 'Bowl']) {
        await create(name);
        const { value } = await pages.next();
        const { events } = JSON.parse(String(value)) as { events: { data: { object: { name: string } } }[] };
        told.push(...events.map(({ data }) => data.object.name));
      }
      expect(told).toEqual(['Mug', 'Bowl']);
    } finally {
      await app.stop();
    }
  });

  it('verifies webhooks, drops known and older events, and ignores other types', async () => {
    mkdirSync(join(__dirname, '../dist'), { recursive: true });
    // Inside the package, so that an import of its own name resolves to its build.
    const folder = mkdtempSync(join(__dirname, '../dist/receiver-'));
    try {
      const source = join(folder, 'receiver.mts');
      writeFileSync(source, block('ts'));
      const compiler = join(root, 'node_modules/typescript-7/bin/tsc');
      const strict = [
        '--strict',
        '--noEmit',
        '--module',
        'nodenext',
        '--types',
        'node',
        '--skipLibCheck',
        '--ignoreConfig',
      ];
      await promisify(execFile)(process.execPath, [compiler, ...strict, '--target', 'es2023', source]);
      const { code } = await transform(block('ts'), { loader: 'ts', format: 'esm' });
      writeFileSync(join(folder, 'receiver.mjs'), code);

      const secret = `whsec_${Buffer.alloc(32, 'a').toString('base64')}`;
      const env = { WEBHOOK_SECRET: secret, PORT: '0' };
      const printed = lines(process.execPath, [join(folder, 'receiver.mjs')], env);
      const listening = [await printed.next()].map(({ value }) => String(value)).join('');
      const url = `http://127.0.0.1:${/port: (\d+)/.exec(listening)?.[1] ?? ''}/`;
      const send = async (id: string, type: string, price: number, sign = secret): Promise<number> => {
        const body = JSON.stringify({ id, type, data: { object: { id: 'mug', name: 'Mug' }, previous: { price } } });
        const at = new Date();
        const headers = {
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
          'webhook-signature': new Webhook(sign).sign(id, at, body),
        };
        return (await fetch(url, { method: 'POST', headers, body })).status;
      };
      const other = `whsec_${Buffer.alloc(32, 'b').toString('base64')}`;
      const sent = [
        await send('2', 'item.updated', 1),
        await send('2', 'item.updated', 2),
        await send('1', 'item.updated', 3),
        await send('3', 'item.painted', 4),
        await send('4', 'item.updated', 5, other),
        await send('5', 'item.updated', 6),
      ];
      expect(sent).toEqual([204, 204, 204, 204, 400, 204]);
      const texts = [await printed.next(), await printed.next()].map(({ value }) => String(value));
      expect(texts).toEqual(['Mug was { price: 1 }', 'Mug was { price: 6 }']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
