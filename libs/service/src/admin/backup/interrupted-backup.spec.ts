import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { startOperation } from '../operation-process.testing.js';
import { addManyNotes, describeService } from '../service.testing.js';
import { checkBackup } from './backup.js';

const NOTES = 60_000;

describeService('A backup that is interrupted', (under) => {
  let folder: string;
  let file: string;

  beforeAll(() => addManyNotes(under.database, NOTES));
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'items-backup-'));
    file = join(folder, 'items.backup');
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('leaves no file of its name, and the next backup replaces its remains', async () => {
    const work = { database: under.config, name: 'backup', args: [file] };
    const killed = startOperation(work);
    const partial = `${file}.partial`;
    while (!existsSync(partial) || statSync(partial).size === 0) await sleep(1);
    killed.kill();
    expect((await killed.ended).signal).toBe('SIGKILL');
    expect(existsSync(file)).toBe(false);

    expect((await startOperation(work).ended).text).toMatch(/^Backed up to /);
    expect(readdirSync(folder)).toEqual(['items.backup']);
    expect((await checkBackup(file)).rows).toMatchObject({ notes: NOTES });
  });

  it('a full disk is reported in one sentence, and nothing is left', async () => {
    const { text } = await startOperation({ database: under.config, name: 'backup', args: [file] }, 200).ended;
    expect(text).toMatch(/^OperationError: The backup was not made: [^\n]*\.\n$/);
    expect(readdirSync(folder)).toEqual([]);
  });
});
