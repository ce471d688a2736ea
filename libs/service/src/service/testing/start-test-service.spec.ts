import { setTimeout as sleep } from 'node:timers/promises';

import { Sortable, Text } from '@items/fields';
import { closeIdleConnections, HttpClient, provideDatabase } from '@items/testing';

import { collection, type ServiceOptions, startService } from '../../index.js';
import { startTestService, type TestService } from './index.js';

class BookInput {
  @Sortable() @Text({ min: 1, max: 200 }) title!: string;
}
/** Much less than the time for which a usual stop waits. */
const HEAD_START_MS = 500;
const books = collection({ name: 'books', singular: 'book', input: BookInput });

describe('startTestService()', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ collections: [books] });
  });
  afterAll(() => service.stop());

  async function statusOf(method: string, credential: Record<string, string>): Promise<number> {
    const headers = { ...credential, 'Content-Type': 'application/json' };
    const body = method === 'POST' ? JSON.stringify({ title: 'Emma' }) : null;
    return (await fetch(`${service.url}/books`, { method, headers, body })).status;
  }

  it('makes users of each role, who have logged in', async () => {
    const users = await Promise.all([
      service.user(),
      service.user({ role: 'viewer' }),
      service.user({ role: 'admin' }),
    ]);
    expect(users.map(({ user }) => user.role)).toEqual(['member', 'viewer', 'admin']);
    expect(new Set(users.map(({ user }) => user.id)).size).toBe(3);
    const posted = users.map(({ token }) => statusOf('POST', { Authorization: `Bearer ${token}` }));
    expect(await Promise.all(posted)).toEqual([201, 403, 201]);
  });

  it('makes users and keys of chosen scopes', async () => {
    const { token } = await service.user({ scopes: ['books:read'] });
    const key = await service.key(['books:write']);
    for (const [credential, statuses] of [
      [{ Authorization: `Bearer ${token}` }, [200, 403]],
      [{ 'X-API-Key': key }, [403, 201]],
    ] as const) {
      expect([await statusOf('GET', credential), await statusOf('POST', credential)]).toEqual(statuses);
    }
  });

  it('reports the response of the service if it cannot create something', async () => {
    await expect(service.key(['bananas:read'])).rejects.toThrow(/^POST \/api-keys: 422 .*validation_failed/);
  });

  it('takes settings of the test', async () => {
    const other = await startTestService({ collections: [books], settings: { ADMIN_API_KEY: 'k'.repeat(40) } });
    expect(other.adminKey).toBe('k'.repeat(40));
    await other.stop();
  });

  it('stops before a service that waits for a client with an idle connection', async () => {
    const databases = [await provideDatabase('sqlite'), await provideDatabase('sqlite')] as const;
    const optionsWith = (url: string): ServiceOptions => ({
      collections: [books],
      settings: { DATABASE_URL: url, PORT: '0', LOG_LEVEL: 'error', WARM_UP_MS: '0', STOP_DELAY: '0' },
    });
    const usual = await startService({ ...optionsWith(databases[0].url), signals: false });
    const tested = await startTestService(optionsWith(databases[1].url));
    for (const { url } of [usual, tested]) await new HttpClient({ baseUrl: url }).get('/docs');
    const stopped: string[] = [];
    const stop = usual.stop().then(() => stopped.push('usual'));
    await sleep(HEAD_START_MS);
    await tested.stop().then(() => stopped.push('tested'));
    closeIdleConnections(Number(new URL(usual.url).port));
    await stop;
    expect(stopped).toEqual(['tested', 'usual']);
    for (const database of databases) await database.drop();
  });
});
