import { setTimeout as sleep } from 'node:timers/promises';

import { isCode } from '@items/conventions';
import {
  HttpClient,
  itemInput,
  openSqliteFile,
  provideDatabase,
  RawConnection,
  startApp,
  type Answer,
  type RunningApp,
  type TestDatabase,
} from '@items/testing';
import { Client } from 'pg';

import { errorShapeProblems } from '../harness/error-shape.js';
import { linesOf } from '../harness/log-lines.js';
import { expectStatus } from '../harness/reading.js';
import { databaseUnderTest, describeStarted } from '../harness/service.js';

/** Number of concurrent requests that the service always serves. */
const MAX_IN_PROGRESS_UNREFUSED = 256;
const BEYOND = 100;
/** Longer than the maximum wait in the request queue, and shorter than the wait for a database connection. */
const LOCKED_MS = 1_200;

/** Blocks all other writes. @returns a function that unlocks. */
async function lockItems({ url }: TestDatabase): Promise<() => Promise<void>> {
  if (url.startsWith('sqlite:')) {
    const other = openSqliteFile(url);
    other.exec('BEGIN IMMEDIATE');
    return () => {
      other.exec('COMMIT');
      other.close();
      return Promise.resolve();
    };
  }
  const other = new Client({ connectionString: url });
  await other.connect();
  await other.query('BEGIN; LOCK TABLE items IN SHARE MODE');
  return () => other.end();
}

describeStarted('§7 Overload: more requests than the database can take', () => {
  let database: TestDatabase;
  let app: RunningApp;

  beforeAll(async () => {
    database = await provideDatabase(databaseUnderTest());
    app = await startApp({ database: databaseUnderTest(), databaseUrl: database.url });
  });
  afterAll(async () => {
    await app.stop();
    await database.drop();
  });

  const connect = (count: number): Promise<RawConnection[]> =>
    Promise.all(Array.from({ length: count }, () => RawConnection.open(app.port)));
  const body = JSON.stringify(itemInput());
  const write = (): string =>
    `POST /items HTTP/1.1\r\nHost: x\r\nX-API-Key: ${app.adminKey}\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${String(Buffer.byteLength(body))}\r\n\r\n${body}`;

  /** Sends a write on each of some connections while the table is locked. */
  const writeTogether = async (count: number): Promise<{ answers: (Answer | undefined)[]; liveMs: number }> => {
    const connections = await connect(count);
    // Afterwards the service has accepted all connections, and reads from them.
    for (const connection of connections) connection.send('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
    await Promise.all(connections.map((connection) => connection.nextAnswer()));
    const unlock = await lockItems(database);
    for (const connection of connections) connection.send(write());
    const answers = Promise.all(connections.map((connection) => connection.nextAnswer()));
    await sleep(LOCKED_MS / 2);
    const began = performance.now();
    expectStatus(await new HttpClient({ baseUrl: app.baseUrl }).get('/health/live'), 200);
    const liveMs = performance.now() - began;
    await sleep(LOCKED_MS / 2);
    await unlock();
    const all = await answers;
    for (const connection of connections) connection.destroy();
    return { answers: all, liveMs };
  };
  const statuses = (answers: readonly (Answer | undefined)[], status: number): Answer[] =>
    answers.flatMap((answer) => (answer?.status === status ? answer : []));

  it('serves 256 concurrent requests, for any wait', async () => {
    const { answers } = await writeTogether(MAX_IN_PROGRESS_UNREFUSED);
    expect(statuses(answers, 201)).toHaveLength(MAX_IN_PROGRESS_UNREFUSED);
  });

  it('refuses further requests with 503 and Retry-After within a second, and serves the others', async () => {
    const { answers, liveMs } = await writeTogether(MAX_IN_PROGRESS_UNREFUSED + BEYOND);
    const refused = statuses(answers, 503);
    expect(refused).toHaveLength(BEYOND);
    expect(statuses(answers, 201)).toHaveLength(MAX_IN_PROGRESS_UNREFUSED);
    expect(refused.every((answer) => isCode(answer.json(), 'overloaded'))).toBe(true);
    expect(refused.every((answer) => answer.header('retry-after') === '1')).toBe(true);
    expect(refused.flatMap(errorShapeProblems)).toEqual([]);
    expect(liveMs).toBeLessThan(LOCKED_MS);
  });

  it('the log has one line when the overload begins and one when it is over', async () => {
    const about = (): unknown[] => linesOf(app).filter(({ msg }) => /overloaded/.test(String(msg)));
    expect(about()).toEqual([
      expect.objectContaining({ level: 'warn', failures: 1, cause: 'requests wait for the database' }),
    ]);
    for (let seconds = 0; seconds < 20 && about().length < 2; seconds++) {
      expectStatus(await new HttpClient({ baseUrl: app.baseUrl }).get('/health/live'), 200);
      await sleep(1_000);
    }
    expect(about().at(-1)).toMatchObject({ failures: BEYOND, msg: 'The service is not overloaded any more' });
  });
});
