import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';

import type { CreatedApiKey, CreatedClient, Item, Session } from '@items/dtos/contract';
import {
  FragileLink,
  HttpClient,
  itemInput,
  openSqliteFile,
  provideDatabase,
  RawConnection,
  redisUnderTest,
  startApp,
  type RunningApp,
  type TestDatabase,
} from '@items/testing';

import { documentedMetrics } from '../harness/documented-metrics.js';
import { errorOf, expectStatus } from '../harness/reading.js';
import { Scraper } from '../harness/scraper.js';
import { databaseUnderTest, describeStarted, service } from '../harness/service.js';

/** A Redis database that nothing else on a test machine uses. */
const REDIS_DATABASE = 13;
const redisUrl = redisUnderTest();
const itWithRedis = redisUrl === undefined ? it.skip : it;
const ANONYMOUS_QUOTA = 400;

describeStarted('Running: METRICS_PORT', () => {
  let database: TestDatabase;
  let links: { readonly database: FragileLink; readonly redis?: FragileLink };
  let app: RunningApp;
  let client: HttpClient;
  let stranger: HttpClient;
  let metrics: Scraper;

  beforeAll(async () => {
    const name = databaseUnderTest();
    database = await provideDatabase(name);
    const url = new URL(database.url);
    const redis = redisUrl === undefined ? undefined : new URL(redisUrl);
    links = {
      // With SQLite, the link is unused.
      database: await FragileLink.to(url.hostname || '127.0.0.1', Number(url.port || 5432)),
      ...(redis && { redis: await FragileLink.to(redis.hostname, Number(redis.port || 6379)) }),
    };
    if (name === 'postgres') url.host = `127.0.0.1:${String(links.database.port)}`;
    app = await startApp({
      database: name,
      databaseUrl: name === 'postgres' ? url.href : database.url,
      env: {
        METRICS_PORT: '0',
        CURSOR_TTL: '1',
        RATE_LIMIT_ANONYMOUS: `${String(ANONYMOUS_QUOTA)}/60`,
        ...(links.redis && { REDIS_URL: `redis://127.0.0.1:${String(links.redis.port)}/${String(REDIS_DATABASE)}` }),
      },
    });
    client = new HttpClient({ baseUrl: app.baseUrl, headers: [['X-API-Key', app.adminKey]], timeoutMs: 15_000 });
    // Redis stores the counts of an earlier run for a minute.
    const [a, b] = [randomInt(1, 255), randomInt(256)];
    stranger = new HttpClient({ baseUrl: app.baseUrl, localAddress: `127.${String(a)}.${String(b)}.77` });
    metrics = await Scraper.of(app);
  });

  afterAll(async () => {
    links.database.restore();
    links.redis?.restore();
    await app.stop();
    await links.database.close();
    await links.redis?.close();
    await database.drop();
  });

  it('requests are counted by method, route, status and kind of credential, and timed', async () => {
    const { id } = (await client.post('/items', itemInput())).json() as Item;
    const labels = { method: 'GET', route: '/items/:id', status: '200', credential: 'api-key' };
    const counted = await metrics.read('items_http_requests_total', labels);
    const timed = await metrics.read('items_http_request_duration_seconds_count', { route: '/items/:id' });
    for (let n = 0; n < 3; n++) expectStatus(await client.get(`/items/${id}`), 200);
    await metrics.until((value) => value === counted + 3, 'items_http_requests_total', labels);
    const buckets = { method: 'GET', route: '/items/:id' };
    expect(await metrics.read('items_http_request_duration_seconds_count', buckets)).toBe(timed + 3);
    expect(await metrics.read('items_http_request_duration_seconds_bucket', { ...buckets, le: '+Inf' })).toBe(
      timed + 3,
    );
    const sum = await metrics.read('items_http_request_duration_seconds_sum', buckets);
    expect(sum).toBeGreaterThan(0);
    expect(sum).toBeLessThan(60);
  });

  it('a refused request has no credential', async () => {
    expectStatus(await stranger.get('/items'), 401);
    await metrics.until((value) => value > 0, 'items_http_requests_total', { status: '401', credential: 'none' });
  });

  it('open connections are counted', async () => {
    const before = await metrics.read('items_http_connections');
    const connections = await Promise.all(Array.from({ length: 5 }, () => RawConnection.open(app.port)));
    await metrics.until((value) => value === before + 5, 'items_http_connections');
    for (const connection of connections) connection.destroy();
    await metrics.until((value) => value === before, 'items_http_connections');
  });

  it('labels have few values for any requests', async () => {
    const series = async (): Promise<number> =>
      (await metrics.scrape()).samples.filter(({ name }) => name.startsWith('items_http_')).length;
    const ask = async (n: number): Promise<void> => {
      const word = `w${String(n)}`;
      await client.get(`/${word}/%20"\\?${word}=1`);
      await client.get(`/items/${word}"}x{a="b`);
      await client.send('OPTIONS', `/items/${word}`);
      await client.send('PATCH', `/items/${word}`);
      await client.send('PROPFIND', `/${word}`);
      await client.get('/items', ['X-Word', word], ['Api-Version', word]);
      await client.get(`/oauth/interaction/${word}`);
    };
    const asked = await metrics.read('items_http_requests_total');
    for (let n = 0; n < 3; n++) await ask(n);
    await metrics.until((value) => value >= asked + 18, 'items_http_requests_total');
    const first = await series();
    for (let n = 3; n < 30; n++) await ask(n);
    await metrics.until((value) => value >= asked + 180, 'items_http_requests_total');
    expect(await series()).toBe(first);
    const told = (await metrics.scrape()).samples.flatMap(({ labels }) => Object.values(labels));
    expect(told.filter((value) => /w\d/.test(value))).toEqual([]);
  });

  it('quotas are counted by kind of client and by result of the request', async () => {
    const of = (quota: string, outcome: string): Promise<number> =>
      metrics.read('items_quota_requests_total', { quota, outcome });
    const body = { name: 'Key', scopes: ['items:read'], rate_limit: { requests: 1, seconds: 60 } };
    const { key } = (await client.post('/api-keys', body)).json() as CreatedApiKey;
    const [allowed, refused] = [await of('credential', 'allowed'), await of('credential', 'refused')];
    for (const status of [200, 429]) expectStatus(await stranger.get('/items', ['X-API-Key', key]), status);
    expect([await of('credential', 'allowed'), await of('credential', 'refused')]).toEqual([allowed + 1, refused + 1]);
    expect(await of('address', 'refused')).toBe(0);
    const flood = Array.from({ length: ANONYMOUS_QUOTA + 1 }, () => stranger.get('/items'));
    expect((await Promise.all(flood)).some(({ status }) => status === 429)).toBe(true);
    expect(await of('address', 'refused')).toBeGreaterThan(0);
    expect(await of('address', 'allowed')).toBeGreaterThanOrEqual(ANONYMOUS_QUOTA);
  });

  it('cache metrics count hits and misses', async () => {
    const of = (cache: string, result: string): Promise<number> =>
      metrics.read('items_cache_lookups_total', { cache, result });
    const { key } = (await client.post('/api-keys', { name: 'Key', scopes: ['items:read'] })).json() as CreatedApiKey;
    const stranger2 = new HttpClient({ baseUrl: app.baseUrl });
    const [hits, misses] = [await of('api_keys', 'hit'), await of('api_keys', 'miss')];
    expectStatus(await stranger2.get('/items', ['X-API-Key', key]), 200);
    expect([await of('api_keys', 'hit'), await of('api_keys', 'miss')]).toEqual([hits, misses + 1]);
    expectStatus(await stranger2.get('/items', ['X-API-Key', key]), 200);
    expect([await of('api_keys', 'hit'), await of('api_keys', 'miss')]).toEqual([hits + 1, misses + 1]);

    const user = { username: 'watched', password: 'correct horse battery', role: 'viewer' };
    expectStatus(await client.post('/users', user), 201);
    const login = await stranger2.post('/sessions', { username: user.username, password: user.password });
    const { access_token: token } = login.json() as Session & { access_token: string };
    for (let n = 0; n < 2; n++) expectStatus(await stranger2.get('/items', ['Authorization', `Bearer ${token}`]), 200);
    const { client_id: id, client_secret: secret } = (
      await client.post('/clients', {
        name: 'App',
        redirect_uris: [],
        scopes: ['items:read'],
        grant_types: ['client_credentials'],
      })
    ).json() as CreatedClient;
    const credential = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
    for (let n = 0; n < 2; n++) {
      const headers = [
        ['Authorization', credential],
        ['Content-Type', 'application/x-www-form-urlencoded'],
      ] as const;
      const token = await stranger2.send('POST', '/oauth/token', { headers, body: 'grant_type=client_credentials' });
      expectStatus(token, 200);
    }
    for (const cache of ['tokens', 'accounts', 'clients']) expect(await of(cache, 'hit')).toBeGreaterThan(0);
    // No misses of accounts: a login already caches them.
    for (const cache of ['tokens', 'clients']) expect(await of(cache, 'miss')).toBeGreaterThan(0);
  });

  it('stored versions, their pruning and its time are measured', async () => {
    const labels = { collection: 'items' };
    const pruned = await metrics.read('items_versions_pruned_total', labels);
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push(((await client.post('/items', itemInput())).json() as Item).id);
    // Begin a walk, so that the service stores replaced versions.
    expectStatus(await client.get('/items?limit=1'), 200);
    for (const id of ids) expectStatus(await client.put(`/items/${id}`, itemInput()), 200);
    await metrics.until((value) => value >= 5, 'items_versions', labels);
    await metrics.until((value) => value >= pruned + 5, 'items_versions_pruned_total', labels);
    await metrics.until((value) => value === 0, 'items_versions', labels);
    const lookedAt = await metrics.read('items_versions_pruned_timestamp_seconds', labels);
    expect(Math.abs(Date.now() / 1000 - lookedAt)).toBeLessThan(10);
  });

  it('event loop, memory and garbage collection are measured', async () => {
    for (const name of ['nodejs_eventloop_lag_p99_seconds', 'nodejs_heap_size_used_bytes', 'process_cpu_seconds_total'])
      expect(await metrics.read(name)).toBeGreaterThan(0);
    const before = await metrics.read('nodejs_gc_duration_seconds_count');
    await Promise.all(Array.from({ length: 200 }, () => client.get('/items?per_page=100')));
    await metrics.until((value) => value > before, 'nodejs_gc_duration_seconds_count');
  });

  it('the served metrics equal docs/metrics.md by name, type and labels', async () => {
    const here = ['', 'one', globalThis.database === 'sqlite' ? 'SQLite' : 'PostgreSQL', redisUrl ? 'Redis' : ''];
    const listed = documentedMetrics.filter(({ where }) => here.includes(where));
    const { types, samples } = await metrics.scrape();
    const typed = listed.map(({ name, type }) => [name, type] as const).sort();
    expect([...types].sort()).toEqual(typed);
    const labelled = new Map<string, Set<string>>();
    for (const { name: sampled, labels } of samples) {
      const name = types.has(sampled) ? sampled : sampled.replace(/_(bucket|sum|count)$/, '');
      const names = labelled.get(name) ?? new Set();
      for (const label of Object.keys(labels)) if (label !== 'le') names.add(label);
      labelled.set(name, names);
    }
    // `nodejs_active_requests` may have no sample at the moment; the backup time has none before the first backup.
    const quiet = ['nodejs_active_requests', 'items_backup_timestamp_seconds'];
    const seen = listed.filter(({ name }) => !quiet.includes(name));
    expect(seen.map(({ name }) => [name, [...(labelled.get(name) ?? ['no sample'])].sort()])).toEqual(
      seen.map(({ name, labels }) => [name, [...labels].sort()]),
    );
  });

  it('names follow the conventions of Prometheus', () => {
    for (const { name, type } of documentedMetrics.filter((row) => row.name.startsWith('items_'))) {
      expect(name).toMatch(/^[a-z]+(_[a-z]+)+$/);
      expect(name.endsWith('_total')).toBe(type === 'counter');
      expect(name).not.toMatch(/_(ms|milliseconds|kb|count)(_|$)/);
    }
  });

  it('the port serves metrics and nothing else, and PORT serves none', async () => {
    errorOf(await client.get('/metrics'), 404);
    for (const path of ['/', '/items', '/health/live', '/openapi.json', '/metrics/x']) {
      errorOf(await metrics.client.get(path, ['X-API-Key', app.adminKey]), 404);
    }
    errorOf(await metrics.client.post('/metrics', {}), 405);
    expectStatus(await metrics.client.head('/metrics'), 200);
    const answer = await metrics.client.get('/metrics');
    expect(answer.header('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  });

  it('scrapers that are slow, silent or do not read delay no request', async () => {
    const connections = await Promise.all(Array.from({ length: 60 }, () => RawConnection.open(metrics.port)));
    for (const [index, connection] of connections.entries()) {
      if (index % 3 === 0) connection.send('GET /metrics HTTP/1.1\r\nHost: x\r\nX-Slow: ');
      if (index % 3 === 1) connection.send('GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(100));
    }
    const began = performance.now();
    for (let n = 0; n < 20; n++) expectStatus(await client.get('/items'), 200);
    expect((await metrics.scrape()).samples.length).toBeGreaterThan(50);
    expect(performance.now() - began).toBeLessThan(5_000);
    await Promise.all(connections.map((connection) => connection.closed(20_000)));
  });

  itWithRedis(
    'an outage of Redis shows in the metrics, and so does its end',
    async () => {
      const answering = async (): Promise<void> => {
        do expectStatus(await client.get('/items'), 200);
        while ((await metrics.read('items_redis_up')) !== 1);
      };
      await answering();
      const failures = await metrics.read('items_redis_failures_total');
      links.redis?.cut();
      expectStatus(await client.get('/items'), 200);
      await metrics.until((value) => value === 0, 'items_redis_up');
      expect(await metrics.read('items_redis_failures_total')).toBeGreaterThan(failures);
      links.redis?.restore();
      await answering();
    },
    45_000,
  );

  it('an outage of the database shows in the metrics, with its queue and its end', async () => {
    expect(await metrics.read('items_database_up')).toBe(1);
    const isSqlite = globalThis.database === 'sqlite';
    const other = isSqlite ? openSqliteFile(database.url) : undefined;
    if (other === undefined) links.database.freeze();
    else other.exec('BEGIN IMMEDIATE');
    // Use reads on PostgreSQL, because concurrent writes share statements there.
    const ask = () => (isSqlite ? client.post('/items', itemInput()) : client.get('/items'));
    const asked = Array.from({ length: 24 }, ask);
    if (isSqlite) await metrics.until((value) => value >= 24, 'items_database_writer_queue_length');
    else {
      const max = await metrics.read('items_database_pool_connections_max');
      // One user gets at most three quarters of the pool.
      await metrics.until((value) => value >= max / 2, 'items_database_pool_connections', { state: 'busy' });
      await metrics.until((value) => value > 0, 'items_database_pool_waiting');
    }
    for (const answer of await Promise.all(asked)) expectStatus(answer, 503);
    expect(await metrics.read('items_database_up')).toBe(0);
    expect(await metrics.read('items_database_outage')).toBe(1);
    if (isSqlite) expect(await metrics.read('items_database_outage', { cause: 'slow' })).toBe(1);
    expect(await metrics.read('items_database_failures_total')).toBeGreaterThanOrEqual(24);
    if (other === undefined) links.database.restore();
    else other.close();
    for (let isUp = false; !isUp;) {
      await client.post('/items', itemInput());
      isUp = (await metrics.read('items_database_up')) === 1;
    }
    await metrics.until(
      (value) => value === 0,
      isSqlite ? 'items_database_writer_queue_length' : 'items_database_pool_waiting',
    );
  });
});

describeStarted('Running: without METRICS_PORT', () => {
  it('no metrics are served', () => {
    expect(readFileSync(service.logFile ?? '', 'utf8')).not.toContain('metrics are served');
  });
});
