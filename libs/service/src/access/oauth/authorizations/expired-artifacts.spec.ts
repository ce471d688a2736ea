import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

import { logTo } from '../../../runtime/logging/log.js';
import { Database } from '../../../for-store.js';
import { v7 as uuidv7 } from 'uuid';

import { loadConfig } from '../../../runtime/config/load-config.js';
import { createService, type Service } from '../../../service/testing/fixture.testing.js';
import { describeOnBothDatabases } from '../../../service/testing/fixture-database.testing.js';
import { Authorizations } from './authorizations.js';
import { ExpiredArtifacts } from './expired-artifacts.js';

/** One more than the batch size. */
const MANY = 201;
const DAY_MS = 24 * 60 * 60 * 1000;

describeOnBothDatabases('Expired artifacts of OAuth', (under) => {
  let service: Service;
  let database: Database;
  let expired: ExpiredArtifacts;

  beforeAll(async () => {
    const config = { ...loadConfig({ ADMIN_API_KEY: 'a'.repeat(32) }), database: under.config };
    service = await createService(config, logTo({ write: () => undefined }));
    await service.app.init();
    database = service.app.get(Database);
  });
  afterAll(() => service.app.close());
  beforeEach(() => (expired = new ExpiredArtifacts(database, service.app.get(Authorizations))));

  const put = (count: number, expiresAt: number): Promise<void> =>
    database.transaction(async (tx) => {
      for (let left = count; left > 0; left--) {
        const id = uuidv7();
        await tx.query(
          `INSERT INTO oauth_authorizations (id, user_id, client_id, credentials_version, payload, expires_at)
           VALUES ($1, $1, 'c', 0, '{}', $2)`,
          [id, expiresAt],
        );
        await tx.query(
          `INSERT INTO oauth_artifacts (hash, model, payload, expires_at) VALUES ($1, 'AccessToken', '{}', $2)`,
          [id, expiresAt],
        );
      }
    });
  const counts = async (): Promise<number[]> =>
    Promise.all(
      ['oauth_authorizations', 'oauth_artifacts'].map(async (table) => {
        const [row] = await database.query<{ n: number | string }>(`SELECT count(*) AS n FROM ${table}`);
        return Number(row?.n);
      }),
    );

  it('are deleted a day later in one round, for any number; others are not', async () => {
    const now = Date.now();
    await put(MANY, now - DAY_MS - 1);
    await put(1, now - DAY_MS);
    await expired.forget(undefined, now);
    expect(await counts()).toEqual([1, 1]);
  });

  it('a stop waits for the running step, and leaves the others for later', async () => {
    let release = (): void => undefined;
    const running = new Promise<[]>((resolve) => (release = () => resolve([])));
    const transaction = jest.spyOn(database, 'transaction').mockReturnValue(running);
    void expired.runNow();
    await yieldToEventLoop();
    let stopped = false;
    const stop = expired.stop().then(() => (stopped = true));
    await yieldToEventLoop();
    expect(stopped).toBe(false);
    const query = jest.spyOn(database, 'query');
    release();
    await stop;
    expect([transaction.mock.calls.length, query.mock.calls.length]).toEqual([1, 0]);
    jest.restoreAllMocks();
  });
});
