import { existsSync, statSync } from 'node:fs';

import { HttpClient, itemInput, provideDatabase, startApp } from '@items/testing';

import { expectStatus } from '../harness/reading.js';
import { describeStarted } from '../harness/service.js';

const ofOthers = 0o077;
const describeOnSqlite =
  globalThis.database === 'sqlite' && process.platform !== 'win32' ? describeStarted : describe.skip;

describeOnSqlite('Running: the database file holds secrets', () => {
  it('and nobody but the service reads it, nor what SQLite keeps beside it', async () => {
    const database = await provideDatabase('sqlite');
    const app = await startApp({ database: 'sqlite', databaseUrl: database.url });
    try {
      const admin = new HttpClient({ baseUrl: app.baseUrl, headers: [['X-API-Key', app.adminKey]] });
      expectStatus(await admin.post('/items', itemInput()), 201);
      const file = database.url.replace('sqlite:', '');
      const files = [file, `${file}-wal`, `${file}-shm`].filter((path) => existsSync(path));
      expect(files).toHaveLength(3);
      expect(files.filter((path) => (statSync(path).mode & ofOthers) !== 0)).toEqual([]);
    } finally {
      await app.stop();
      await database.drop();
    }
  });
});
