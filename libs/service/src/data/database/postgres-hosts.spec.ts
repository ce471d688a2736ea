import { createDatabase, postgresUnderTest } from '@items/testing';
import pg from 'pg';

import { EMPTY_SCHEMA } from '../testing/store-database.testing.js';
import { openDatabase } from '../opening/open-database.js';
import { urlsOf } from './postgres-hosts.js';

describe('A URL of PostgreSQL', () => {
  it.each([
    ['postgres://a:b@h1/items', ['postgres://a:b@h1/items']],
    [
      'postgresql://a:b,c@h1:1,h2/items?target_session_attrs=read-write',
      ['postgresql://a:b,c@h1:1/items', 'postgresql://a:b,c@h2/items'],
    ],
    [
      'postgres://h1,h2/items?target_session_attrs=primary&sslmode=require',
      ['postgres://h1/items?sslmode=require', 'postgres://h2/items?sslmode=require'],
    ],
  ])('%s names one or more servers', (url, urls) => {
    expect(urlsOf(url)).toEqual(urls);
  });
});

const server = postgresUnderTest();
(server === undefined ? describe.skip : describe)('PostgreSQL on several hosts', () => {
  it('uses the host that responds, even after the first host has stopped', async () => {
    const { url, drop } = await createDatabase(server);
    const { host, username, pathname } = new URL(url);
    const both = `postgres://${username}@127.0.0.1:1,${host}${pathname}?target_session_attrs=read-write`;
    const database = await openDatabase({ dialect: 'postgres', url: both }, EMPTY_SCHEMA);
    await Promise.all(Array.from({ length: 20 }, () => database.query('SELECT 1')));
    await database.transaction((tx) => tx.query("INSERT INTO settings (name, value) VALUES ('a', 'b')"));
    await database.close();
    await drop();
  });

  it('never uses a read-only host: one sentence if there is no other host', async () => {
    const { url, drop } = await createDatabase(server);
    const admin = new pg.Client(url);
    await admin.connect();
    const name = new URL(url).pathname.slice(1);
    // The database then looks like a standby to clients.
    await admin.query(`ALTER DATABASE "${name}" SET default_transaction_read_only = on`);
    for (const asked of [url, url.replace('@', '@127.0.0.1:1,')])
      await expect(openDatabase({ dialect: 'postgres', url: asked }, EMPTY_SCHEMA)).rejects.toThrow(
        'the server is read-only, such as a standby: configure the writable server',
      );
    await admin.end();
    await drop();
  });

  it('returns 503 if its server becomes read-only, and closes the connections', async () => {
    const { url, drop } = await createDatabase(server);
    const database = await openDatabase({ dialect: 'postgres', url }, EMPTY_SCHEMA);
    const write = (): Promise<unknown> =>
      database.transaction((tx) => tx.query("DELETE FROM settings WHERE name = 'x'"));
    const pid = async (): Promise<unknown> => (await database.query('SELECT pg_backend_pid() AS pid'))[0];
    const before = await pid();
    const demoted = database.transaction(async (tx) => {
      await tx.query('SET TRANSACTION READ ONLY');
      await tx.query("DELETE FROM settings WHERE name = 'x'");
    });
    await expect(demoted).rejects.toMatchObject({ code: 'database_unavailable' });
    expect(await pid()).not.toEqual(before);
    await write();
    await database.close();
    await drop();
  });
});
