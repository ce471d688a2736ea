import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';

import { databaseRows } from '@items/testing';

import { operations } from '../operations.js';
import { runOperation } from '../run-program.js';
import { addNotes, describeService, operationContext } from '../service.testing.js';
import { checkBackup } from './backup.js';

describeService('backup', (under) => {
  let folder: string;
  let file: string;

  const backUp = (): Promise<string> =>
    runOperation(operations, ['backup', file], () => operationContext(under.config));

  /** Reads the backup as another program would. */
  const readable = async (): Promise<unknown> =>
    under.config.dialect === 'sqlite'
      ? databaseRows(`sqlite:${file}`)
      : gunzipSync(readFileSync(file)).toString('utf8');

  beforeAll(() => addNotes(under.database, 700));
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'items-backup-'));
    file = join(folder, 'items.backup');
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('writes one file that only its owner can read, and reports its contents', async () => {
    expect(await backUp()).toMatch(
      /^Backed up to .*items\.backup, and read through: \d+ rows in \d+ tables, \d+ bytes\.$/,
    );
    expect(readdirSync(folder)).toEqual(['items.backup']);
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    const { rows, migrations } = await checkBackup(file);
    expect(rows).toMatchObject({ notes: 700, notes_versions: 0 });
    expect(migrations).toContain('CreateNotes1700000000001');
  });

  /** Reads the rows of a table from the backup as another program would. */
  const rowsIn = async (table: string): Promise<Record<string, unknown>[]> => {
    if (under.config.dialect === 'sqlite') {
      const lines = await databaseRows(`sqlite:${file}`);
      const own = lines.filter((line) => line.startsWith(`${table} `));
      return own.map((line) => JSON.parse(line.slice(table.length)) as Record<string, unknown>);
    }
    const lines = gunzipSync(readFileSync(file)).toString('utf8').trimEnd().split('\n');
    const rows = lines.map((line) => JSON.parse(line) as { table?: string; row: Record<string, unknown> });
    return rows.filter((row) => row.table === table).map(({ row }) => row);
  };

  it('begins after the writes that are running, on PostgreSQL', async () => {
    if (under.config.dialect === 'sqlite') return;
    let hasBegun = false;
    let backup = '';
    await under.database.transaction(async (tx) => {
      await tx.query("UPDATE collection_lanes SET n = n WHERE collection = 'notes'", []);
      const made = backUp().finally(() => (hasBegun = true));
      await sleep(1500);
      expect(hasBegun).toBe(false);
      await tx.query("INSERT INTO settings (name, value) VALUES ('written', 'last')", []);
      void made.then((text) => (backup = text));
    });
    while (backup === '') await sleep(50);
    expect(await rowsIn('settings')).toContainEqual({ name: 'written', value: 'last' });
  });

  it('is a snapshot of all tables during any writes', async () => {
    let ended = false;
    const isEnded = (): boolean => ended;
    // Each write adds to a table and to a counter in another one.
    const writer = (async () => {
      while (!isEnded()) await addNotes(under.database, 1);
    })();
    for (let round = 0; round < 5; round += 1) {
      await backUp();
      const lanes = (await rowsIn('collection_lanes')).filter(({ collection }) => collection === 'notes');
      const counted = lanes.reduce((sum, { n }) => sum + Number(n), 0);
      expect((await rowsIn('notes')).length).toBe(counted);
      rmSync(file);
    }
    ended = true;
    await writer;
    const [{ n } = { n: 0 }] = await under.database.query<{ n: number }>('SELECT count(*) AS n FROM notes');
    expect(n).toBeGreaterThan(700);
  });

  it('a backup of PostgreSQL whose rows were changed and compressed again is refused', async () => {
    if (under.config.dialect === 'sqlite') return;
    await backUp();
    const text = gunzipSync(readFileSync(file)).toString('utf8');
    writeFileSync(file, gzipSync(text.replace('plain', 'Plain')));
    await expect(checkBackup(file)).rejects.toThrow(/is damaged: its checksum is wrong\.$/);
  });

  it('replaces no file', async () => {
    writeFileSync(file, 'precious');
    await expect(backUp()).rejects.toThrow(`There is a file ${file} already: give the backup another name.`);
    expect(readFileSync(file, 'utf8')).toBe('precious');
  });

  it('replaces the remains of a killed backup, and leaves nothing after a failure', async () => {
    writeFileSync(`${file}.partial`, 'half');
    await backUp();
    expect(readdirSync(folder)).toEqual(['items.backup']);
    const away = join(folder, 'missing', 'items.backup');
    const failed = runOperation(operations, ['backup', away], () => operationContext(under.config));
    await expect(failed).rejects.toThrow(/^The backup was not made: ENOENT/);
    expect(existsSync(away)).toBe(false);
  });

  it('a backup that was cut off or changed anywhere is refused', async () => {
    await backUp();
    const whole = readFileSync(file);
    for (const part of [0.1, 0.5, 0.9, 0.999]) {
      writeFileSync(file, whole);
      truncateSync(file, Math.floor(whole.length * part));
      await expect(checkBackup(file)).rejects.toThrow(/^The backup .*items\.backup is damaged: /);
    }
    writeFileSync(file, whole);
    const rows = await readable();
    // The first bytes identify the type of the file.
    for (let at = 100; at < whole.length; at += Math.ceil(whole.length / 150)) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 0x55;
      writeFileSync(file, changed);
      const isNoticed = await checkBackup(file).then(
        () => false,
        () => true,
      );
      // Some bytes of a SQLite page are unused.
      if (!isNoticed) expect({ at, rows: await readable() }).toEqual({ at, rows });
    }
  });

  it.each([
    ['empty', '', 'is not a backup'],
    ['a text', 'Dear diary, today I was backed up.', 'is not a backup'],
    ['a compressed text', gzipSync('Dear diary\n'), 'is damaged'],
    ['a compressed object', gzipSync('{"hello":1}\n'), 'is not a backup in the format items-backup/1'],
    ['of a later format', gzipSync('{"format":"items-backup/2"}\n'), 'is not a backup in the format items-backup/1'],
    [
      'a SQLite file without tables',
      Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(4096)]),
      'is damaged',
    ],
  ])('a file that is %s is refused', async (_, content, sentence) => {
    writeFileSync(file, content);
    await expect(checkBackup(file)).rejects.toThrow(sentence);
  });

  const HEADER = { format: 'items-backup/1', made_at: '2026-11-22T09:30:00.000Z', migrations: ['A1'] };
  const CLOCK = '{"table":"collection_lanes","row":{}}';
  const SETTING = '{"table":"settings","row":{}}';
  const COUNTS = { collection_lanes: 1, settings: 1 };

  it.each<[string, unknown, string[], unknown, string]>([
    ['has a header of nothing', null, [], COUNTS, 'one of its lines is not a JSON object'],
    ['has no migrations', { ...HEADER, migrations: {} }, [], COUNTS, 'its migrations are not a list of names'],
    ['has migrations without names', { ...HEADER, migrations: [1] }, [], COUNTS, 'its migrations are not'],
    ['has no time', { ...HEADER, made_at: 1 }, [], COUNTS, 'it has no time of creation'],
    ['has a line of nothing', HEADER, ['null'], COUNTS, 'one of its lines is not a JSON object'],
    ['has a row of no table', HEADER, ['{"x":1}'], COUNTS, 'one of its lines is not a row of a table'],
    ['has a table without a row', HEADER, ['{"table":"x"}'], COUNTS, 'one of its lines is not a row of a table'],
    ['has a row and more', HEADER, ['{"table":"x","row":{},"y":{}}'], COUNTS, 'one of its lines is not a row'],
    ['has an end of nothing', HEADER, [], null, 'its last line does not count the rows'],
    ['has too few rows', HEADER, [CLOCK], COUNTS, 'the numbers of rows differ from those in its last line'],
    [
      'has rows that are not counted',
      HEADER,
      [CLOCK, SETTING, '{"table":"__proto__","row":{}}'],
      COUNTS,
      'the numbers of rows differ',
    ],
    ['has no clocks', HEADER, [SETTING], { settings: 1 }, 'it has no rows of collection_lanes'],
    ['has no settings', HEADER, [CLOCK], { collection_lanes: 1, settings: 0 }, 'it has no rows of settings'],
    ['has no rows', HEADER, [], {}, 'it has no rows of collection_lanes'],
  ])('a backup of PostgreSQL that %s is refused by one sentence', async (_, header, lines, end, sentence) => {
    const text = [JSON.stringify(header), ...lines, ''].join('\n');
    const sha256 = createHash('sha256').update(text).digest('hex');
    writeFileSync(file, gzipSync(`${text}${JSON.stringify({ end, sha256 })}\n`));
    const refused = await checkBackup(file).catch((error: unknown) => error);
    expect(refused).toMatchObject({ name: 'OperationError', message: expect.stringContaining(sentence) as string });
  });

  it('a backup of PostgreSQL whose line never ends is refused soon', async () => {
    writeFileSync(file, gzipSync(Buffer.alloc(80_000_000, 'x')));
    await expect(checkBackup(file)).rejects.toThrow(/is damaged: one of its lines is too long\.$/);
  });

  it('a backup of PostgreSQL is lines of JSON, which any program reads', async () => {
    if (under.config.dialect === 'sqlite') return;
    await backUp();
    const lines = gunzipSync(readFileSync(file))
      .toString('utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines[0]).toMatchObject({ format: 'items-backup/1', database: 'postgres' });
    expect(lines.at(-1)).toEqual({
      end: expect.objectContaining({ notes: expect.any(Number) as number }) as object,
      sha256: expect.any(String) as string,
    });
  });
});
