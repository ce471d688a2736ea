import { setTimeout as sleep } from 'node:timers/promises';

import { createDatabase, FragileLink, postgresUnderTest } from '@items/testing';

import { EMPTY_SCHEMA } from '../testing/store-database.testing.js';
import { NO_LOG } from '../outages/store-log.js';
import { databaseAt } from '../testing/database-url.testing.js';
import { DatabaseNotOpenedError } from '../database/initialized.js';
import { openDatabase } from './open-database.js';
import { whenReachable } from './wait-for-database.js';

const coded = (code: string, message = 'of a driver'): Error => Object.assign(new Error(message), { code });

describe('Waiting for a database at the start', () => {
  /** @returns The number of attempts. */
  async function triesUntilOpen(error: Error): Promise<number> {
    let tries = 0;
    const open = (): Promise<string> => {
      tries += 1;
      return tries < 2 ? Promise.reject(error) : Promise.resolve('open');
    };
    await whenReachable(open, NO_LOG);
    return tries;
  }

  const temporary = [
    ...['ECONNREFUSED', 'ETIMEDOUT', 'EHOSTUNREACH', 'EAI_AGAIN', 'ENOTFOUND', '57P03', '53300', '08006'].map((code) =>
      coded(code),
    ),
    new Error('timeout exceeded when trying to connect'),
    new Error('Connection terminated unexpectedly'),
    new DatabaseNotOpenedError(coded('ECONNREFUSED')),
  ];
  let tries: ReadonlyMap<Error, number>;

  beforeAll(async () => {
    // Attempts are a second apart, so all errors are tried concurrently.
    tries = new Map(await Promise.all(temporary.map(async (error) => [error, await triesUntilOpen(error)] as const)));
  });

  it.each(temporary)('%s', (error) => {
    expect(tries.get(error)).toBe(2);
  });

  it.each([
    ...['28P01', '28000', '3D000', '42501', 'ERR_TLS_CERT_ALTNAME_INVALID'].map((code) => coded(code)),
    new DatabaseNotOpenedError(coded('28P01')),
    new Error('The tables are of a later version.'),
  ])('not %s', async (error) => {
    await expect(triesUntilOpen(error)).rejects.toBe(error);
  });
});

const url = postgresUnderTest();
(url === undefined ? describe.skip : describe)('A start on a PostgreSQL that is down', () => {
  it('continues when the database is reachable, and logs the wait once', async () => {
    const own = await createDatabase();
    const { hostname, port } = new URL(own.url);
    const link = await FragileLink.to(hostname, Number(port || 5432));
    link.cut();
    const lines: string[] = [];
    const through = new URL(own.url);
    through.host = `127.0.0.1:${String(link.port)}`;
    const opening = whenReachable(() => openDatabase(databaseAt(through.href), EMPTY_SCHEMA), {
      ...NO_LOG,
      warn: (_, line) => void lines.push(line),
    });
    await sleep(2500);
    expect(lines).toEqual(['The database does not answer; the start waits for it']);
    link.restore();
    const database = await opening;
    expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await database.close();
    await link.close();
    await own.drop();
  });

  it('fails immediately if the database does not exist', async () => {
    const unknown = new URL(url ?? '');
    unknown.pathname = '/there_is_no_such_database';
    const opening = whenReachable(() => openDatabase(databaseAt(unknown.href), EMPTY_SCHEMA), NO_LOG);
    await expect(opening).rejects.toBeInstanceOf(DatabaseNotOpenedError);
  });
});
