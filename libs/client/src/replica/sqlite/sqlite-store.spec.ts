import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { sqliteStore } from './index.js';

interface Row {
  readonly id: string;
  readonly name: string;
}

const ROWS: readonly Row[] = Array.from({ length: 100 }, (_, id) => ({
  id: String(id),
  name: `A secret ${String(id)}`,
}));

describe('sqliteStore', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sqlite-store-'));
    path = join(folder, 'copy.sqlite');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const open = () => sqliteStore<Row>(path, { owner: 'a' });
  const names = (): string[] => readdirSync(folder).sort();

  it('has the rows and the position of the last write after it is reopened', async () => {
    const store = open();
    expect(await store.load()).toEqual({ rows: [], position: '' });
    await store.replace({ rows: ROWS, position: 'p1' });
    await store.apply({ upserted: [{ id: '0', name: 'New' }], deleted: ['1', 'unknown'], position: 'p2' });
    store.close?.();
    const { rows, position } = (await open().load())!;
    expect([rows.length, position, rows[0]]).toEqual([99, 'p2', { id: '0', name: 'New' }]);
  });

  it('creates its file and the files of its log with mode 0600', async () => {
    const store = open();
    await store.load();
    await store.replace({ rows: ROWS, position: 'p' });
    expect(names()).toEqual(['copy.sqlite', 'copy.sqlite-shm', 'copy.sqlite-wal']);
    for (const name of names()) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    store.close?.();
  });

  it('leaves no trace of deleted rows in its files', async () => {
    const store = open();
    await store.load();
    await store.replace({ rows: ROWS, position: 'p' });
    await store.replace({ rows: [], position: '' });
    store.close?.();
    for (const name of names()) expect(readFileSync(join(folder, name), 'latin1')).not.toContain('A secret');
  });

  it('stores nothing more for a writer that another writer has replaced', async () => {
    const [former, later] = [open(), open()];
    await former.load();
    await later.load();
    expect(() => former.replace({ rows: ROWS, position: 'old' })).toThrow('Another process');
    expect(() => former.apply({ upserted: ROWS, deleted: [], position: 'old' })).toThrow('Another process');
    expect(await later.load()).toEqual({ rows: [], position: '' });
    former.close?.();
    later.close?.();
  });

  it('stores nothing of a write that fails', async () => {
    const store = open();
    await store.load();
    await store.replace({ rows: ROWS, position: 'p' });
    const wrong = { id: undefined as never, name: 'Without an id' };
    expect(() => store.apply({ upserted: [{ id: '0', name: 'New' }, wrong], deleted: [], position: 'q' })).toThrow();
    const { rows, position } = (await store.load())!;
    expect([position, rows[0]]).toEqual(['p', ROWS[0]]);
    store.close?.();
  });
});
