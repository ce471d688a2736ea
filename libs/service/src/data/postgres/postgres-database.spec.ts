import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

import { ServiceUnavailableError } from '@items/conventions';
import { BUSY_MS, createDatabase, postgresUnderTest } from '@items/testing';
import pg from 'pg';

import { EMPTY_SCHEMA } from '../testing/store-database.testing.js';
import type { Database, Transaction } from '../database/database.js';
import { openDatabase } from '../opening/open-database.js';

const ADD = 'INSERT INTO settings (name, value) VALUES ($1, $2)';

/** Simulates a frozen server or a broken network: a proxy that can stop forwarding. */
class Proxy {
  private readonly sockets = new Set<Socket>();
  private frozen = false;

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async before(target: { port: number; host: string }): Promise<Proxy> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxy = new Proxy(server, (server.address() as { port: number }).port);
    server.on('connection', (socket) => proxy.forward(socket, connect(target)));
    return proxy;
  }

  freeze(frozen: boolean): void {
    this.frozen = frozen;
    for (const socket of this.sockets) {
      if (frozen) socket.pause();
      else socket.resume();
    }
  }

  /** Cuts every connection, like a restart of the server or the network. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
    this.sockets.clear();
  }

  close(): void {
    this.server.close();
    this.cut();
  }

  private forward(client: Socket, upstream: Socket): void {
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.sockets.add(from);
      from.on('data', (bytes) => to.write(bytes));
      from.on('close', () => to.destroy());
      from.on('error', () => to.destroy());
      if (this.frozen) from.pause();
    }
  }
}

const server = postgresUnderTest();
const describeIfServed = server === undefined ? describe.skip : describe;

describeIfServed('PostgreSQL', () => {
  let database: Database;
  const errors: string[] = [];
  const log = { info: jest.fn(), warn: jest.fn(), error: (_: object, message: string) => void errors.push(message) };
  let proxy: Proxy;
  let url: string;
  let proxied: URL;
  let drop: () => Promise<void>;

  /** Connects to another database of the server. */
  const openAdmin = async (): Promise<pg.Client> => {
    const admin = new pg.Client(server);
    await admin.connect();
    return admin;
  };

  beforeAll(async () => {
    const created = await createDatabase();
    drop = () => created.drop();
    ({ url } = created);
    proxied = new URL(url);
    proxy = await Proxy.before({ host: proxied.hostname, port: Number(proxied.port) || 5432 });
    proxied.host = `127.0.0.1:${String(proxy.port)}`;
    database = await openDatabase({ dialect: 'postgres', url: proxied.href }, EMPTY_SCHEMA, log);
  });
  afterAll(async () => {
    proxy.freeze(false);
    await database.close();
    proxy.close();
    await drop();
  });

  it('returns values of each type unchanged, as objects and as arrays, in each repetition', async () => {
    const sql = `SELECT $1::bigint AS big, $2::text AS "a text", $3::bytea AS bytes, $4::bigint[] AS list,
      $5::text AS nothing, 1.5::float8 AS half, true AS yes WHERE $6::int = 1`;
    const params = [2 ** 53 - 1, 'é"\\😀', new Uint8Array([0, 255]), [1, 2], null];
    const bytes = Buffer.from([0, 255]);
    for (let time = 0; time < 3; time++) {
      expect(await database.query(sql, [...params, 1])).toEqual([
        { big: 2 ** 53 - 1, 'a text': 'é"\\😀', bytes, list: ['1', '2'], nothing: null, half: 1.5, yes: true },
      ]);
      const values = [2 ** 53 - 1, 'é"\\😀', bytes, ['1', '2'], null, 1.5, true];
      expect(await database.readValues(sql, [...params, 1])).toEqual([values]);
      expect(await database.query(sql, [...params, 2])).toEqual([]);
      await database.query('DELETE FROM settings WHERE name = $1', ['of nobody']);
    }
  });

  it('retries a failed statement on the same connection, for each step that can fail', async () => {
    const sql = 'SELECT 6 / $1::int AS n';
    await expect(database.query(sql, ['two'])).rejects.toMatchObject({ code: '22P02' });
    await expect(database.query(sql, [0])).rejects.toMatchObject({ code: '22012' });
    await expect(database.query('SELECT wrong', [])).rejects.toMatchObject({ code: '42703' });
    await expect(database.query('SELECT wrong', [])).rejects.toMatchObject({ code: '42703' });
    expect(await database.query(sql, [2])).toEqual([{ n: 3 }]);
    expect(await database.query(sql, [3])).toEqual([{ n: 2 }]);
  });

  it('returns 503 within five seconds for every read and write if it does not respond, and is used again afterwards', async () => {
    await Promise.all(Array.from({ length: 16 }, () => database.query('SELECT 1')));
    proxy.freeze(true);
    const begunAt = performance.now();
    const reads = Array.from({ length: 40 }, () => database.query('SELECT 1'));
    const writes = Array.from({ length: 10 }, () => database.transaction((tx) => tx.query('SELECT 1')));
    const results = await Promise.allSettled([...reads, ...writes, database.ping()]);
    expect(performance.now() - begunAt).toBeLessThan(5000 + BUSY_MS);
    for (const result of results) {
      expect(result).toMatchObject({ status: 'rejected', reason: expect.any(ServiceUnavailableError) });
    }
    expect(errors).toEqual(['The database does not answer; requests that need it get 503']);
    proxy.freeze(false);
    await expect(database.query('SELECT 1 AS one')).resolves.toEqual([{ one: 1 }]);
    await database.transaction((tx) => tx.query(ADD, ['after the freeze', '']));
  });

  it('may respond slowly at the start, for example if many services start concurrently', async () => {
    proxy.freeze(true);
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance', 'hrtime'] });
    const opening = openDatabase({ dialect: 'postgres', url: proxied.href }, EMPTY_SCHEMA);
    opening.catch(() => undefined);
    while (jest.getTimerCount() === 0) await yieldToEventLoop();
    await jest.advanceTimersByTimeAsync(10_000);
    jest.useRealTimers();
    proxy.freeze(false);
    await (await opening).close();
  });

  it('has a bounded number of prepared statements on each connection, whose transactions continue', async () => {
    const own = await openDatabase({ dialect: 'postgres', url }, EMPTY_SCHEMA);
    const held: number[] = [];
    const connections = new Set<number>();
    for (let n = 0; n < 1300; n += 1) {
      await own.query(`SELECT ${String(n)} AS n`);
      const [row] = await own.query<{ held: number; pid: number }>(
        'SELECT count(*)::int AS held, pg_backend_pid() AS pid FROM pg_prepared_statements',
      );
      held.push(row?.held ?? Infinity);
      connections.add(row?.pid ?? 0);
    }
    await own.close();
    expect(Math.max(...held)).toBeGreaterThan(400);
    expect(Math.max(...held)).toBeLessThanOrEqual(1001);
    expect(connections.size).toBeLessThanOrEqual(3);
  });

  it('is used again immediately after all connections were closed', async () => {
    await database.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()',
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    await expect(Promise.all(Array.from({ length: 20 }, () => database.query('SELECT 1')))).resolves.toHaveLength(20);
  });

  it.each([
    [
      'the server ends them',
      async (): Promise<unknown> =>
        database.query(
          'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()',
        ),
    ],
    [
      'the network is cut',
      (): Promise<unknown> => {
        proxy.cut();
        return Promise.resolve();
      },
    ],
  ])('returns 503 if it is lost during or between statements: %s', async (_how, lose) => {
    let begun = 0;
    let allBegun: (() => void) | undefined;
    const begin = new Promise<void>((resolve) => (allBegun = resolve));
    const lost = new Promise<void>((resolve) => void begin.then(lose).then(() => setTimeout(resolve, 100)));
    const work = (statements: (tx: Transaction) => Promise<unknown>): Promise<unknown> =>
      database.transaction(async (tx) => {
        await tx.query('SELECT 1');
        begun += 1;
        if (begun === 6) allBegun?.();
        await statements(tx);
      });
    const sleeping = [1, 2, 3].map(() => work((tx) => tx.query('SELECT pg_sleep(2)')));
    const pausing = [1, 2].map(() => work(() => lost.then(() => Promise.reject(new Error('refused')))));
    const writing = work((tx) => lost.then(() => tx.query(ADD, ['lost', ''])));
    const results = await Promise.allSettled([...sleeping, ...pausing, writing]);
    const reasons = results.map((result) => result.status === 'rejected' && (result.reason as Error).constructor.name);
    const unavailable = 'ServiceUnavailableError';
    expect(reasons).toEqual([unavailable, unavailable, unavailable, 'Error', 'Error', unavailable]);
    await expect(Promise.all(Array.from({ length: 20 }, () => database.query('SELECT 1')))).resolves.toHaveLength(20);
  });

  it('returns 503 if it accepts no connections', async () => {
    const { admin, name } = { admin: await openAdmin(), name: new URL(url).pathname.slice(1) };
    try {
      await admin.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS false`);
      proxy.cut();
      for (const asked of [database.query('SELECT 1'), database.transaction((tx) => tx.query('SELECT 1'))]) {
        await expect(asked).rejects.toBeInstanceOf(ServiceUnavailableError);
      }
    } finally {
      await admin.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS true`);
      await admin.end();
    }
    await expect(database.query('SELECT 1 AS one')).resolves.toEqual([{ one: 1 }]);
  });

  it('repeats a transaction after a deadlock', async () => {
    await database.transaction(async (tx) => {
      for (const name of ['a', 'b']) await tx.query(ADD, [name, '0']);
    });
    let attempts = 0;
    let holding = 0;
    let bothHoldOne: () => void = () => undefined;
    const meeting = new Promise<void>((resolve) => (bothHoldOne = resolve));
    const both = (first: string, second: string): Promise<void> =>
      database.transaction(async (tx) => {
        attempts++;
        const sql = `UPDATE settings SET value = CAST(CAST(value AS int) + 1 AS text) WHERE name = $1`;
        await tx.query(sql, [first]);
        if (++holding >= 2) bothHoldOne();
        await meeting;
        await tx.query(sql, [second]);
      });
    await Promise.all([both('a', 'b'), both('b', 'a')]);
    expect(attempts).toBeGreaterThan(2);
    expect(await database.query('SELECT value FROM settings WHERE name IN ($1, $2)', ['a', 'b'])).toEqual([
      { value: '2' },
      { value: '2' },
    ]);
  });

  describe('at the deadline', () => {
    const commitNothing = async (): Promise<void> => {
      const own = await openDatabase({ dialect: 'postgres', url }, EMPTY_SCHEMA);
      const holder = new pg.Client(url);
      await holder.connect();
      try {
        await own.transaction((tx) => tx.query(ADD, ['locked', 'before']));
        await holder.query('BEGIN');
        await holder.query("UPDATE settings SET value = 'held' WHERE name = 'locked'");
        const busy = Array.from({ length: 16 }, () => own.query('SELECT pg_sleep(1.5)'));
        const write = own.autocommit((tx) => tx.query("UPDATE settings SET value = 'late' WHERE name = 'locked'"));
        await expect(write).rejects.toBeInstanceOf(ServiceUnavailableError);
        await holder.query('ROLLBACK');
        await Promise.all(busy);
        // The write of the abandoned connection waits for the same row.
        await holder.query("SELECT * FROM settings WHERE name = 'locked' FOR UPDATE");
        expect(await own.query("SELECT value FROM settings WHERE name = 'locked'")).toEqual([{ value: 'before' }]);
      } finally {
        await holder.end();
        await own.close();
      }
    };
    const waitNoLonger = async (): Promise<void> => {
      const own = await openDatabase({ dialect: 'postgres', url }, EMPTY_SCHEMA);
      try {
        let attempts = 0;
        const begunAt = performance.now();
        let busy: Promise<unknown>[] = [];
        const conflict = (): Error => Object.assign(new Error('could not serialize'), { code: '40001' });
        const write = own.transaction(async () => {
          attempts += 1;
          if (attempts === 1) {
            await new Promise((resolve) => setTimeout(resolve, 4200));
            busy = Array.from({ length: 16 }, () => own.query('SELECT pg_sleep(1.8)'));
          }
          throw conflict();
        });
        await expect(write).rejects.toBeInstanceOf(ServiceUnavailableError);
        expect(performance.now() - begunAt).toBeLessThan(4500 + BUSY_MS);
        await Promise.all(busy);
        await yieldToEventLoop();
        // The connection that was opened too late is in the pool again.
        const { pool } = own.use();
        expect(pool).toMatchObject({ open: 16, idle: 16, waiting: 0 });
      } finally {
        await own.close();
      }
    };
    let both: readonly Promise<void>[];
    beforeAll(() => {
      // Each takes seconds and does not affect the other.
      both = [commitNothing(), waitNoLonger()];
      for (const each of both) each.catch(() => undefined);
    });

    it('commits nothing after a 503, even if a connection was available late', async () => {
      await both[0];
    });

    it('waits for a connection at most until the deadline, for any number of retries', async () => {
      await both[1];
    });
  });

  it('does not report a rolled back transaction as committed', async () => {
    const passedOver = database.transaction(async (tx) => {
      await tx.query(ADD, ['passed over', '']);
      await tx.query('SELECT 1 / 0').catch(() => undefined);
    });
    await expect(passedOver).rejects.toThrow('could not be committed');
    expect(await database.query('SELECT 1 FROM settings WHERE name = $1', ['passed over'])).toEqual([]);
  });
});
