import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { Sqlite } from './sqlite.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe(`SQLite on Node ${process.versions.node}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'items-'));
  const file = join(folder, 'texts.sqlite');
  let connection: Sqlite;

  beforeEach(() => {
    connection = new Sqlite(file);
    connection.pragma('journal_mode = WAL');
    connection.exec('CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT UNIQUE NOT NULL, bytes BLOB)');
  });
  afterEach(() => {
    connection.close();
    for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  function insert(id: number): WeakRef<object> {
    const statement = connection.prepare('INSERT INTO texts VALUES (?, ?, NULL)');
    statement.run(id, `text ${String(id)}`);
    return new WeakRef(statement);
  }

  function codeOf(work: () => unknown): unknown {
    try {
      work();
      return undefined;
    } catch (error) {
      return (error as { code?: unknown }).code;
    }
  }

  it('continues after statements are garbage collected, even with a statement in use', async () => {
    const used = connection.prepare('SELECT count(*) AS count FROM texts');
    for (let round = 0; round < 10; round++) {
      const dropped = Array.from({ length: 10 }, (_, n) => insert(10 * round + n));
      const isHeld = (statement: WeakRef<object>): boolean => statement.deref() !== undefined;
      // One collection may leave a statement that the stack still seems to reference.
      for (let collections = 0; collections < 5 && (collections === 0 || dropped.some(isHeld)); collections++) {
        await new Promise(setImmediate);
        collectGarbage();
        await new Promise(setImmediate);
      }
      expect(dropped.filter(isHeld)).toEqual([]);
      expect(used.all()).toEqual([{ count: 10 * round + 10 }]);
    }
  });

  it('gives errors the code that SQLite gives', () => {
    insert(1);
    expect(codeOf(() => connection.exec("INSERT INTO texts VALUES (2, 'text 1', NULL)"))).toBe(
      'SQLITE_CONSTRAINT_UNIQUE',
    );
    expect(codeOf(() => insert(1))).toBe('SQLITE_CONSTRAINT_PRIMARYKEY');
    expect(codeOf(() => connection.prepare('INSERT INTO texts (id) VALUES (2) RETURNING id').get())).toBe(
      'SQLITE_CONSTRAINT_NOTNULL',
    );
    expect(codeOf(() => connection.prepare('SELECT nothing FROM texts'))).toBe('SQLITE_ERROR');
    expect(codeOf(() => new Sqlite(join(folder, 'missing'), { readonly: true }))).toBe('SQLITE_CANTOPEN');
    expect(codeOf(() => new Sqlite(join(folder, 'missing'), { fileMustExist: true }))).toBe('SQLITE_CANTOPEN');
    const reader = new Sqlite(file, { readonly: true });
    expect(codeOf(() => reader.exec('DELETE FROM texts'))).toBe('SQLITE_READONLY');
    reader.close();
    const other = new Sqlite(file, { timeout: 0 });
    connection.exec('BEGIN IMMEDIATE');
    expect(codeOf(() => other.exec('BEGIN IMMEDIATE'))).toBe('SQLITE_BUSY');
    connection.exec('COMMIT');
    other.exec('BEGIN; SELECT * FROM texts');
    insert(3);
    expect(codeOf(() => other.exec('DELETE FROM texts'))).toBe('SQLITE_BUSY_SNAPSHOT');
    other.close();
    expect(codeOf(() => other.exec('SELECT 1'))).toBe('ERR_INVALID_STATE');
    other.close();
  });

  it('reports whether a transaction is open', () => {
    expect(connection.inTransaction).toBe(false);
    connection.exec('BEGIN');
    expect(connection.inTransaction).toBe(true);
    connection.exec('ROLLBACK');
    expect(connection.inTransaction).toBe(false);
  });

  it('reads rows as objects, as arrays and one by one, and writes while they are read', () => {
    for (const id of [1, 2, 3]) insert(id);
    const statement = connection.prepare<[number], { id: number; text: string }>(
      'SELECT id, text FROM texts WHERE id >= ? ORDER BY id',
    );
    expect(statement.reader).toBe(true);
    expect(statement.columns()).toEqual([{ name: 'id' }, { name: 'text' }]);
    expect(statement.get(2)?.text).toBe('text 2');
    expect(statement.get(9)).toBeUndefined();
    const seen: number[] = [];
    for (const { id } of statement.iterate(1)) {
      seen.push(id);
      insert(id + 10);
      if (id === 2) break;
    }
    expect(seen).toEqual([1, 2]);
    expect(connection.exec('BEGIN; COMMIT').inTransaction).toBe(false);
    expect(statement.raw().all(12)).toEqual([[12, 'text 12']]);
    expect(connection.prepare('DELETE FROM texts').run().changes).toBe(5);
  });

  it('reads and writes integers, decimals, bytes and null unchanged', () => {
    const values = [Number.MAX_SAFE_INTEGER, 'ä🙂', new Uint8Array([0, 1, 255])];
    connection.prepare('INSERT INTO texts VALUES (?, ?, ?)').run(...values);
    connection.prepare('INSERT INTO texts VALUES (?, ?, ?)').run(2, '0.1', null);
    expect(connection.prepare('SELECT * FROM texts ORDER BY id').raw().all()).toEqual([[2, '0.1', null], values]);
    expect(connection.pragma('user_version', { simple: true })).toBe(0);
    expect(connection.pragma('table_info(texts)')).toHaveLength(3);
  });

  it('prints no warning', () => {
    const script = `import('../../../dist/data/sqlite/sqlite.js').then(({ Sqlite }) => new Sqlite(':memory:').close());
      process.emitWarning('another one');`;
    const options = { encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } } as const;
    const { stderr } = spawnSync(process.execPath, ['-e', script], { ...options, cwd: __dirname });
    expect(stderr).toContain('another one');
    expect(stderr).not.toContain('SQLite');
  });
});
