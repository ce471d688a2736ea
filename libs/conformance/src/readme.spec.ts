import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { everything, rightService, serve } from './testing/right-service.testing.js';

const folder = join(__dirname, '..');
const [, example = ''] = /```js\n([^]*?)```/.exec(readFileSync(join(folder, 'README.md'), 'utf8')) ?? [];

it('the example of the README runs unchanged', async () => {
  const service = await serve(rightService(everything, new Map()));
  const words = ['--input-type=module', '-e', example, 'example.js', service.url, everything.key ?? ''];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: folder });
    expect(stdout).toContain('Conformant: 0 failed.');
  } finally {
    await service.stop();
  }
});
