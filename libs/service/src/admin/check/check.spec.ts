import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';

import { certificateFiles, hasPostgresPrograms, StreamingPair, TEST_CERTIFICATE } from '@items/testing';

import { openDatabase } from '../../data/opening/open-database.js';
import { databaseAt } from '../../data/testing/database-url.testing.js';
import type { Database } from '../../data/database/database.js';
import type { DatabaseConfig } from '../../data/database/database-options.js';
import { EventPurge } from '../../feed/event-purge.js';
import { loadConfig } from '../../runtime/config/load-config.js';
import { instanceRecord } from '../../runtime/instances/instance-record.js';
import { describeOnBothDatabases } from '../../service/testing/fixture-database.testing.js';
import { schema } from '../../service/testing/fixture.testing.js';
import { DeliveryPartitions } from '../../webhooks/deliveries/delivery-partitions.js';
import { SecretBox } from '../../webhooks/definition/secret-box.js';
import { operations } from '../operations.js';
import { runProgram } from '../run-program.js';
import { operationContext } from '../service.testing.js';

const HOUR_MS = 3_600_000;
const [KEY_A, KEY_B] = ['a'.repeat(32), 'b'.repeat(32)];
const WEBHOOK = '00000000-0000-7000-8000-000000000001';

interface Ran {
  readonly status: number;
  readonly output: string;
}

async function run(database: DatabaseConfig, env: NodeJS.ProcessEnv, ...args: string[]): Promise<Ran> {
  let output = '';
  const to = { write: (text: string) => void (output += text) };
  const status = await runProgram(operations, ['check', ...args], { stdout: to, stderr: to }, (terminal) =>
    operationContext(database, schema, { ...terminal, config: { ...loadConfig(env), database } }),
  );
  return { status, output };
}

async function finding(database: DatabaseConfig, name: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const { output } = await run(database, env, '--json');
  const { checks } = JSON.parse(output) as { checks: { check: string; level: string; message: string }[] };
  const found = checks.find(({ check }) => check === name);
  return `${String(found?.level)}: ${String(found?.message)}`;
}

describeOnBothDatabases('npm run admin -- check', (under) => {
  const folder = mkdtempSync(join(tmpdir(), 'items-check-'));
  const isPostgres = (): boolean => under.config.dialect === 'postgres';

  const set = (name: string, value: unknown): Promise<unknown> =>
    under.database.transaction((tx) =>
      tx.query(
        'INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
        [name, typeof value === 'string' ? value : JSON.stringify(value)],
      ),
    );
  const report = (name: string, env: NodeJS.ProcessEnv = {}, ageMs = 0, pool = 16): Promise<unknown> =>
    set(`instance ${name}`, instanceRecord(loadConfig(env), pool, Date.now() - ageMs));
  const write = (sql: string): Promise<unknown> => under.database.transaction((tx) => tx.query(sql));

  /** Expected level of `statistics`, because the test server may run without autovacuum. */
  let statistics = 'ok';
  beforeAll(async () => {
    if (!isPostgres()) return;
    const [setting] = await under.database.query<{ autovacuum: string }>('SHOW autovacuum');
    if (setting?.autovacuum === 'off') statistics = 'warning';
  });

  beforeEach(async () => {
    await write("DELETE FROM settings WHERE name LIKE 'instance %' OR name IN ('backup', 'maintenance')");
    await new EventPurge(under.database, { warn: jest.fn() }, Infinity).prepare();
    await new DeliveryPartitions(under.database, { name: 'deliveries', countedFilters: [] }).makeAhead();
    const file = join(folder, 'last.backup');
    writeFileSync(file, 'of 13 bytes..');
    await set('backup', { madeAt: Date.now() - HOUR_MS, file, bytes: 13 });
    await report('a:1');
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('has a line for each check, and status 0 if all is well', async () => {
    const { status, output } = await run(under.config, {});
    const lines = output.trimEnd().split('\n');
    expect(lines.map((line) => line.split(/\s+/, 2))).toEqual(
      [
        ...[
          'version',
          'database',
          'migrations',
          'schema',
          'statistics',
          'partitions',
          'clocks',
          'instances',
          'secrets',
        ],
        ...['connections', 'standbys', 'backup', 'disk', 'webhooks', 'settings', 'certificates'],
      ].map((name) => [name === 'statistics' ? statistics : 'ok', name]),
    );
    expect(status).toBe(statistics === 'ok' ? 0 : 1);
    expect(lines[0]).toMatch(/ @items\/service \d+\.\d+\.\d+\S*, Node\.js v\d+\.\d+\.\d+$/);
  });

  it('prints the findings as one object with --json, and takes no other argument', async () => {
    const { output } = await run(under.config, {}, '--json');
    expect(JSON.parse(output)).toMatchObject({
      status: statistics,
      checks: expect.arrayContaining([
        { check: 'migrations', level: 'ok', message: expect.any(String) as string, advice: null },
      ]) as unknown[],
    });
    expect(await run(under.config, {}, '--xml')).toMatchObject({ status: 2 });
    expect(await run(under.config, {}, '--json', 'now')).toMatchObject({ status: 2 });
  });

  it('has status 1 for a warning and 2 for an error, with advice', async () => {
    await set('backup', { madeAt: Date.now() - 30 * HOUR_MS, file: '/elsewhere', bytes: 13 });
    const warned = await run(under.config, {});
    expect(warned.status).toBe(1);
    expect(warned.output).toMatch(/^warning {2}backup {7}.*30 hours old; .*not on this machine\. Run npm run admin/m);
    await set('backup', { madeAt: Date.now() - 300 * HOUR_MS, file: '/elsewhere', bytes: 13 });
    expect(await run(under.config, {})).toMatchObject({ status: 2 });
  });

  it('finds a changed or missing backup file', async () => {
    writeFileSync(join(folder, 'last.backup'), 'shorter');
    expect(await finding(under.config, 'backup')).toMatch(/^error: .*13 bytes: the file has 7 bytes now$/);
    await write("DELETE FROM settings WHERE name = 'backup'");
    expect(await finding(under.config, 'backup')).toMatch(/^warning: none was made/);
  });

  it('records the backups that npm run admin makes, and reads through one again', async () => {
    const file = join(folder, 'made.backup');
    const said: string[] = [];
    const output = {
      stdout: { write: (text: string) => said.push(text) },
      stderr: { write: (text: string) => said.push(text) },
    };
    const backup = (...args: string[]): Promise<number> =>
      runProgram(operations, ['backup', ...args], output, (terminal) =>
        operationContext(under.config, schema, terminal),
      );
    expect(await backup(file)).toBe(0);
    expect(await finding(under.config, 'backup')).toMatch(/^ok: .*made\.backup of .*, 0 hours old$/);
    expect(await backup('--verify', file)).toBe(0);
    expect(said.at(-1)).toMatch(/^The backup .*made\.backup of .* is good: \d+ rows in \d+ tables, \d+ bytes\.\n$/);
    writeFileSync(file, 'no backup');
    expect(await backup('--verify', file)).toBe(1);
    expect(await backup('--verify')).toBe(2);
  });

  it('finds pending migrations: an error if no start runs them', async () => {
    const later = { migrations: [...schema.migrations, LaterTable1999999999999] };
    const withLater = async (database: DatabaseConfig): Promise<string> => {
      let output = '';
      const to = { write: (text: string) => void (output += text) };
      await runProgram(operations, ['check'], { stdout: to, stderr: to }, (terminal) =>
        operationContext(database, later, { ...terminal, config: { ...loadConfig({}), database } }),
      );
      return output;
    };
    expect(await withLater(under.config)).toMatch(/^warning {2}migrations .*1 of \d+ pending, from LaterTable/m);
    const elsewhere = { ...under.config, isMigratedElsewhere: true } as const;
    expect(await withLater(elsewhere)).toMatch(/^error {4}migrations .*no instance of this version becomes ready/m);
    const fewer = { migrations: schema.migrations.slice(0, -1) };
    const database = under.config;
    let output = '';
    const to = { write: (text: string) => void (output += text) };
    await runProgram(operations, ['check'], { stdout: to, stderr: to }, (terminal) =>
      operationContext(database, fewer, { ...terminal, config: { ...loadConfig({}), database } }),
    );
    expect(output).toMatch(/^warning {2}schema .*1 migration of a later version/m);
  });

  it('finds a clock that is ahead of this machine', async () => {
    await write(`UPDATE collection_lanes SET seq = seq + 5000000 WHERE seq > 0`);
    const aheadMs = (Date.now() + 10_000) * 1000;
    await write(`INSERT INTO collection_lanes (collection, lane, seq, n, floor, checkpoint, checkpoint_at)
      VALUES ('ahead', 0, ${String(aheadMs)}, 0, 0, 0, 0)`);
    expect(await finding(under.config, 'clocks')).toMatch(
      /^warning: .* 9\.\d s after the clock of this machine$|^warning: .*10\.0 s/,
    );
    await write(`UPDATE collection_lanes SET seq = seq + 100000000 WHERE collection = 'ahead'`);
    expect(await finding(under.config, 'clocks')).toMatch(/^error: /);
    await write(`DELETE FROM collection_lanes WHERE collection = 'ahead'`);
  });

  it('finds instances that are gone, in maintenance, or have other settings', async () => {
    await report('b:1', { CURRENCY: 'EUR', REDIS_URL: 'redis://r' });
    expect(await finding(under.config, 'instances')).toBe('warning: a:1, b:1 differ in CURRENCY, REDIS_URL');
    await report('b:1');
    expect(await finding(under.config, 'instances')).toBe('warning: a:1, b:1 run without REDIS_URL');
    await report('b:1', { CURRENCY: 'EUR' });
    expect(await finding(under.config, 'instances')).toBe(
      'warning: a:1, b:1 differ in CURRENCY, and run without REDIS_URL',
    );
    await report('b:1', {}, HOUR_MS);
    expect(await finding(under.config, 'instances')).toBe('ok: 1 instance with the same settings: a:1');
    await report('a:1', {}, HOUR_MS);
    expect(await finding(under.config, 'instances')).toMatch(/^warning: none has reported/);
    await set('maintenance', '300');
    expect(await finding(under.config, 'instances')).toMatch(/^warning: maintenance is on/);
  });

  it.each(['CURSOR_SECRET', 'WEBHOOK_KEY'])('finds a %s that an instance cannot read', async (variable) => {
    const secrets = async (a: string | undefined, b: string | undefined): Promise<string> => {
      await report('a:1', a === undefined ? {} : { [variable]: a });
      await report('b:1', b === undefined ? {} : { [variable]: b });
      return (await finding(under.config, 'secrets')).replace(variable, 'X');
    };
    expect(await secrets(KEY_A, KEY_A)).toBe('ok: the same on all instances');
    expect(await secrets(`${KEY_A},${KEY_B}`, KEY_A)).toMatch(/^warning: a rotation of X is under way/);
    expect(await secrets(`${KEY_A},${KEY_B}`, `${KEY_B},${KEY_A}`)).toMatch(/^warning: a rotation/);
    expect(await secrets(`${KEY_B},${KEY_A}`, KEY_A)).toMatch(/^error: X is not the same/);
    expect(await secrets(KEY_A, undefined)).toMatch(/^error: X is not the same/);
  });

  it('finds webhooks that fail, that were disabled, and whose key is missing', async () => {
    const add = `INSERT INTO webhooks (id, created_at, updated_at, lane, seq, url, events, disabled, disabled_reason, api_version)
      VALUES ('${WEBHOOK}', 0, 0, 0, 0, 'https://x', '[]', 0, NULL, '2026-11-20')`;
    await write(add);
    await write(`INSERT INTO webhook_states (webhook_id, place) VALUES ('${WEBHOOK}', '')`);
    expect(await finding(under.config, 'webhooks')).toBe('ok: 1 webhook, none fails');
    await write(`UPDATE webhook_states SET failing_since = ${String(Date.now() - 5 * HOUR_MS)}`);
    expect(await finding(under.config, 'webhooks')).toBe(`warning: the webhook ${WEBHOOK} fail, up to 5 hours long`);
    await write("UPDATE webhooks SET disabled = 1, disabled_reason = 'failing', seq = seq + 1");
    expect(await finding(under.config, 'webhooks')).toBe(`warning: the service has disabled the webhook ${WEBHOOK}`);
    const closed = new SecretBox([KEY_A]).close('whsec', WEBHOOK);
    await write(`INSERT INTO webhook_secrets (webhook_id, secret, created_at) VALUES ('${WEBHOOK}', '${closed}', 0)`);
    expect(await finding(under.config, 'webhooks', { WEBHOOK_KEY: KEY_B })).toMatch(/^error: WEBHOOK_KEY lacks/);
    expect(await finding(under.config, 'webhooks', { WEBHOOK_KEY: `${KEY_B},${KEY_A}` })).toMatch(
      /^warning: the service/,
    );
    for (const table of ['webhook_secrets', 'webhook_states', 'webhooks']) await write(`DELETE FROM ${table}`);
  });

  it('finds partitions that were not made, on PostgreSQL', async () => {
    if (!isPostgres()) {
      expect(await finding(under.config, 'partitions')).toBe('ok: SQLite has none');
      return;
    }
    expect(await finding(under.config, 'partitions')).toMatch(
      /^ok: events have partitions for the next 3 days; deliveries have partitions for the next 3 days$/,
    );
    const names = await under.database.query<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relname ~ '^events_[0-9]+$' ORDER BY 1",
    );
    for (const { name } of names.slice(1)) await write(`DROP TABLE ${name}`);
    expect(await finding(under.config, 'partitions')).toMatch(/^warning: the last of events ends in \d+ hours?, and/);
    await write(`DROP TABLE ${String(names[0]?.name)}`);
    expect(await finding(under.config, 'partitions')).toMatch(/^error: none for now: events go to events_rest/);
  });

  it('finds an unfinished index, tables without statistics, and pools that are too large, on PostgreSQL', async () => {
    if (!isPostgres()) return;
    await write('CREATE TABLE large (n int)');
    await write('INSERT INTO large SELECT generate_series(1, 300000)');
    expect(await finding(under.config, 'statistics')).toBe('warning: never analysed: large');
    await write('INSERT INTO large VALUES (1)');
    await write('CREATE INDEX large_n ON large (n)');
    await write("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'large_n'::regclass");
    expect(await finding(under.config, 'schema')).toBe('error: unfinished: large_n');
    await write('DROP TABLE large');
    await report('b:1', {}, 0, 100_000);
    expect(await finding(under.config, 'connections')).toMatch(
      /^error: \d+ of \d+ in use; the pools of 2 instances open at most 100016$/,
    );
  });

  it('finds settings that contradict each other', async () => {
    const https = { BASE_URL: 'https://shop.invalid', REQUIRE_HTTPS: 'on' };
    expect(await finding(under.config, 'settings', https)).toMatch(/^error: REQUIRE_HTTPS refuses every credential/);
    expect(await finding(under.config, 'settings', { ...https, TRUST_PROXY: '10.0.0.0/8' })).toMatch(/^ok: /);
    expect(await finding(under.config, 'settings', { ...https, BASE_URL: 'http://shop.invalid' })).toMatch(
      /^error: REQUIRE/,
    );
    expect(await finding(under.config, 'settings', { EVENT_DAYS: '0.5' })).toMatch(/^warning: EVENT_DAYS ends before/);
  });
});

describe('npm run admin -- check, without a database that it can read', () => {
  it.each([
    ['sqlite:/tmp/there-is-no/such.sqlite', /^error {4}database +cannot be read: There is no database file/m],
    ['postgres://127.0.0.1:1/none', /^error {4}database +cannot be read: .*ECONNREFUSED/m],
  ])('%s is an error, and the other checks continue', async (url, line) => {
    const { status, output } = await run(databaseAt(url), {});
    expect(status).toBe(2);
    expect(output).toMatch(line);
    expect(output).toMatch(/^ok {7}settings/m);
  });
});

describe('Certificates', () => {
  it('are named with their end', async () => {
    const files = certificateFiles();
    const database = databaseAt('sqlite:/tmp/there-is-no/such.sqlite');
    expect(await finding(database, 'certificates', files.env)).toBe('ok: TLS_CERT expires on 2126-10-28');
    jest.useFakeTimers({ now: Date.UTC(2126, 9, 20), doNotFake: ['nextTick', 'setImmediate', 'setTimeout'] });
    expect(await finding(database, 'certificates', files.env)).toBe('warning: TLS_CERT expires on 2126-10-28');
    jest.setSystemTime(Date.UTC(2126, 9, 27));
    expect(await finding(database, 'certificates', files.env)).toBe('error: TLS_CERT expires on 2126-10-28');
    jest.setSystemTime(Date.UTC(2126, 10, 1));
    expect(await finding(database, 'certificates', files.env)).toBe('error: TLS_CERT has expired on 2126-10-28');
    jest.useRealTimers();
    files.remove();
  });
});

describe('The certificate of a proxy', () => {
  it('is read at BASE_URL; a proxy that cannot be reached is no warning', async () => {
    const server = createServer(TEST_CERTIFICATE).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const database = databaseAt('sqlite:/tmp/there-is-no/such.sqlite');
    const env = { BASE_URL: `https://localhost:${String(port)}` };
    const found = await finding(database, 'certificates', { ...env, BASE_URL: `https://127.0.0.1:${String(port)}` });
    expect(found).toBe('ok: the certificate of 127.0.0.1 expires on 2126-10-28');
    server.close();
    expect(await finding(database, 'certificates', env)).toMatch(/^ok: not checked: localhost cannot be reached/);
  });
});

(hasPostgresPrograms ? describe : describe.skip)('Standbys', () => {
  let pair: StreamingPair;
  let database: Database;
  beforeAll(async () => {
    pair = await StreamingPair.start();
    database = await openDatabase(databaseAt(pair.primary.url), schema);
    await pair.caughtUp();
  });
  afterAll(async () => {
    await database.close();
    await pair.stop();
  });

  it('standbys that lag or are away are found', async () => {
    const config = databaseAt(pair.primary.url);
    const env = { DATABASE_URL: pair.primary.url, DATABASE_READ_URL: pair.standby.url };
    expect(await finding(config, 'standbys', env)).toBe(
      'ok: 1 standby for reads, at most a second behind; the primary sends to walreceiver (async)',
    );
    await pair.pause();
    await database.transaction((tx) => tx.query("INSERT INTO settings (name, value) VALUES ('x', 'y')"));
    expect(await finding(config, 'standbys', env)).toMatch(
      /^warning: 127\.0\.0\.1:\d+ is more than a second and .* behind$/,
    );
    await pair.resume();
    await pair.standby.kill();
    expect(await finding(config, 'standbys', env)).toMatch(
      /^warning: 127\.0\.0\.1:\d+ does not answer: .*ECONNREFUSED/,
    );
    expect(await finding(config, 'standbys', { ...env, DATABASE_READ_URL: pair.primary.url })).toMatch(
      /is not a standby$/,
    );
  });
});

class LaterTable1999999999999 {
  readonly name = 'LaterTable1999999999999';

  up(): Promise<void> {
    return Promise.resolve();
  }
}
