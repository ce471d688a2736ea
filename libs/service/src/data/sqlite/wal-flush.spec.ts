import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { WalFlush } from './wal-flush.js';

describe('WalFlush', () => {
  const folder = mkdtempSync(join(tmpdir(), 'items-'));
  const path = join(folder, 'items.sqlite-wal');
  afterAll(() => rmSync(folder, { recursive: true }));

  it('flushes once at a time, and once more for later writes', async () => {
    writeFileSync(path, '');
    const under: (() => void)[] = [];
    let flushes = 0;
    const flush = new WalFlush(path, (_file, done) => {
      flushes += 1;
      under.push(() => done(null));
    });
    for (let n = 0; n < 3; n += 1) flush.start();
    expect([flushes, under.length]).toEqual([1, 1]);
    under.shift()?.();
    await new Promise(setImmediate);
    expect(flushes).toBe(2);
    under.shift()?.();
    await flush.close();
    expect(flushes).toBe(2);
    flush.start();
    expect(flushes).toBe(3);
    under.shift()?.();
    await flush.close();
  });

  it('does not fail if the disk fails, or if there is no WAL', async () => {
    const failing = new WalFlush(path, (_file, done) => done(new Error('EIO')));
    const missing = new WalFlush(join(folder, 'nowhere', 'x-wal'));
    for (const flush of [failing, missing]) {
      flush.start();
      await flush.close();
    }
  });
});
