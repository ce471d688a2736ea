import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { FileLines } from './file-lines.js';

describe('The lines of a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'items-lines-'));
  const file = join(folder, 'lines');
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  async function linesOf(contents: string | Buffer, maxBytes = 10): Promise<(string | undefined)[]> {
    writeFileSync(file, contents);
    const lines = new FileLines(file, maxBytes);
    const found: (string | undefined)[] = [];
    let before = 0;
    for await (const { number, bytes, end } of lines.all()) {
      found.push(bytes?.toString());
      expect(number).toBe(found.length);
      expect(end).toBeGreaterThan(before);
      const soFar = Buffer.from(contents).subarray(0, end);
      expect(lines.digest()).toBe(createHash('sha256').update(soFar).digest('hex'));
      before = end;
    }
    expect(before).toBe(Buffer.byteLength(contents));
    return found;
  }

  it.each([
    ['', []],
    ['a', ['a']],
    ['a\n', ['a']],
    ['a\r\n\n b', ['a\r', '', ' b']],
    ['\ufeffa\n\ufeffb\n', ['a', '\ufeffb']],
    ['0123456789\n01234567890\nc\n', ['0123456789', undefined, 'c']],
    ['01234567890', [undefined]],
  ])('%j', async (contents, lines) => {
    expect(await linesOf(contents)).toEqual(lines);
  });

  it('may span several reads', async () => {
    const lines = Array.from({ length: 40_000 }, (_, n) => `line ${String(n)}`);
    expect(await linesOf(lines.slice(0, 100).join('\n'))).toEqual(lines.slice(0, 100));
    writeFileSync(file, lines.join('\n'));
    const found: (string | undefined)[] = [];
    for await (const { bytes } of new FileLines(file, 10).all()) found.push(bytes?.toString());
    expect(found).toEqual(lines);
  });

  it('are separated even if one of them is longer than a read', async () => {
    const long = 'x'.repeat(200_000);
    writeFileSync(file, `a\n${long}\nb\n`);
    for (const [maxBytes, expected] of [
      [10, undefined],
      [200_000, long],
      [199_999, undefined],
    ] as const) {
      const found: (string | undefined)[] = [];
      for await (const { bytes } of new FileLines(file, maxBytes).all()) found.push(bytes?.toString());
      expect(found).toEqual(['a', expected, 'b']);
    }
  });
});
