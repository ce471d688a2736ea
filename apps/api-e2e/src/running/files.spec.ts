import { existsSync, rmSync, statSync } from 'node:fs';

import { HttpClient, itemInput, provideDatabase, startApp } from '@items/testing';

import { linesOf } from '../harness/log-lines.js';
import { expectStatus } from '../harness/reading.js';
import { describeStarted } from '../harness/service.js';

const ofOthers = 0o077;
const describeOnSqlite =
  globalThis.database === 'sqlite' && process.platform !== 'win32' ? describeStarted : describe.skip;

describeOnSqlite('Running: the database file holds secrets', () => {
  it('no other user can read it or the other files of SQLite', async () => {
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

describeOnSqlite('Running: the database file is deleted under the service', () => {
  it('no write succeeds any more, the service is not ready, and one log line reports the loss', async () => {
    const database = await provideDatabase('sqlite');
    const app = await startApp({ database: 'sqlite', databaseUrl: database.url });
    try {
      const admin = new HttpClient({ baseUrl: app.baseUrl, headers: [['X-API-Key', app.adminKey]] });
      expectStatus(await admin.post('/items', itemInput()), 201);
      rmSync(database.url.replace('sqlite:', ''));
      for (let n = 0; n < 20; n += 1) expectStatus(await admin.post('/items', itemInput()), 503);
      expectStatus(await admin.get('/health/ready'), 503);
      expectStatus(await admin.get('/health/live'), 200);
      await app.end();
      expect(linesOf(app).filter(({ level }) => level === 'error')).toEqual([
        expect.objectContaining({
          msg: expect.stringContaining('does not answer'),
          cause: expect.stringContaining('deleted'),
        }),
      ]);
    } finally {
      await app.stop();
      await database.drop();
    }
  });
});
