import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { watchFolders } from './watch-folders.js';

it('watches the other folders if one vanishes before it is watched', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'watch-folders-'));
  let end = (): void => undefined;
  const changed = new Promise<string>((resolve) => {
    end = watchFolders([join(folder, 'vanished'), folder], resolve);
  });
  writeFileSync(join(folder, 'a.ts'), '');
  expect(await changed).toBe(join(folder, 'a.ts'));
  end();
  rmSync(folder, { recursive: true });
});
