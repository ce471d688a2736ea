import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { startApp, type RunningApp } from '@items/testing';

const folder = join(__dirname, '..');
let app: RunningApp;
beforeAll(async () => (app = await startApp({ database: 'sqlite' })));
afterAll(() => app.stop());

it('the example of the README prints the output of the README', async () => {
  const example = /^```js\n(.*?)^```/ms.exec(readFileSync(join(folder, 'README.md'), 'utf8'))?.[1] ?? '';
  const expected = example.split('\n').filter((line) => line.startsWith('// '));
  // Inside the package, so that an import of its own name resolves to its build.
  const place = mkdtempSync(join(folder, 'dist', 'readme-'));
  try {
    writeFileSync(join(place, 'example.mjs'), example);
    const env = { ...process.env, ITEMS_URL: app.baseUrl, ITEMS_KEY: app.adminKey };
    const { stdout } = await promisify(execFile)(process.execPath, [join(place, 'example.mjs')], { env });
    expect(stdout.trim().split('\n')).toEqual(expected.map((line) => line.slice(3)));
  } finally {
    rmSync(place, { recursive: true });
  }
});
