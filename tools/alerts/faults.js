import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppProcess, freePort, hasPostgresPrograms, itemInput, openSqliteFile, StreamingPair } from '@items/testing';
import pg from 'pg';
import { runNode } from '../workspace/run.ts';

/** Id of the migration lock in `postgres-source.ts`. */
const MIGRATION_LOCK = 0x17e_5eed;
/** More than 90 % of the connections that one process accepts. */
const CONNECTIONS = 3_900;
/** Enough concurrent clients that the service must refuse some. */
const CLIENTS = 600;

/** @typedef {import('./watched-service.js').WatchedService} WatchedService */

/**
 * A fault and its expected alerts.
 * @typedef {object} Fault
 * @property {string} title
 * @property {import('@items/testing').DatabaseName} database
 * @property {readonly string[]} alerts that must fire; no others may.
 * @property {readonly string[]} [tiles] red tiles other than those of the alerts.
 * @property {Record<string, string>} [env] settings of the service.
 * @property {() => Disk | undefined} [disk] creates the disk for the SQLite file; returns undefined if this machine
 * cannot.
 * @property {() => string | undefined} [missing] why it cannot be caused here.
 * @property {(service: WatchedService) => Promise<Caused>} cause
 */

/**
 * @typedef {object} Caused
 * @property {() => Promise<unknown>} [undo] absent if only a restart of the service helps.
 * @property {number} [metricsPort] port of another process to watch instead of the service.
 * @property {() => Promise<unknown>} [end] stops all processes that the fault started.
 */

/** @typedef {{ folder: string, remove: () => void }} Disk */

/** @type {readonly Fault[]} */
export const FAULTS = [
  {
    title: 'the process is killed',
    database: 'sqlite',
    alerts: ['InstanceDown'],
    cause: async ({ app }) => (app.process.signal('SIGKILL'), {}),
  },
  {
    title: 'PostgreSQL is cut off',
    database: 'postgres',
    alerts: ['DatabaseAway', 'ErrorBudgetBurn'],
    cause: async ({ databaseLink: link }) => (link.cut(), { undo: async () => link.restore() }),
  },
  {
    title: 'the SQLite file is moved away',
    database: 'sqlite',
    alerts: ['DatabaseFileLost', 'ErrorBudgetBurn'],
    tiles: ['Database'],
    cause: async ({ databaseUrl }) => {
      const file = databaseUrl.replace('sqlite:', '');
      renameSync(file, `${file}.away`);
      return { undo: async () => renameSync(`${file}.away`, file) };
    },
  },
  {
    title: 'the disk is full',
    database: 'sqlite',
    alerts: ['DiskFull', 'ErrorBudgetBurn'],
    tiles: ['Database'],
    disk: smallDisk,
    cause: async ({ databaseUrl }) => {
      const file = join(dirname(databaseUrl.replace('sqlite:', '')), 'fills-the-disk');
      const stop = again(async () => {
        fill(file);
        await sleep(100);
      });
      return { undo: async () => (await stop(), rmSync(file)) };
    },
  },
  {
    title: 'Redis is cut off',
    database: 'sqlite',
    alerts: ['RedisAway'],
    cause: async ({ redisLink: link }) => (link.cut(), { undo: async () => link.restore() }),
  },
  {
    title: 'another process writes to the SQLite file all the time',
    database: 'sqlite',
    alerts: ['LatencyBudgetBurn', 'SlowRequests', 'WriterQueue'],
    cause: async (service) => {
      const file = openSqliteFile(service.databaseUrl);
      const stop = again(async () => {
        for (let n = 0; n < 5; n++) service.send((client) => client.post('/items', itemInput()));
        file.exec('BEGIN IMMEDIATE');
        await sleep(3_000);
        file.exec('ROLLBACK');
        await sleep(60);
      });
      return { undo: async () => (await stop(), file.close()) };
    },
  },
  {
    title: 'a table of PostgreSQL is locked again and again',
    database: 'postgres',
    alerts: ['LatencyBudgetBurn', 'SlowRequests', 'WriterQueue'],
    cause: async (service) => {
      const client = await connected(service.databaseUrl);
      const stop = again(async () => {
        await client.query('BEGIN; LOCK TABLE items IN ACCESS EXCLUSIVE MODE');
        for (let n = 0; n < 40; n++) service.send((http) => http.get('/items'));
        await sleep(1_500);
        await client.query('ROLLBACK');
      });
      return { undo: async () => (await stop(), client.end()) };
    },
  },
  {
    title: `${CLIENTS} clients ask while a table of PostgreSQL is locked again and again`,
    database: 'postgres',
    alerts: ['ErrorBudgetBurn', 'LatencyBudgetBurn', 'Overloaded', 'SlowRequests', 'WriterQueue'],
    cause: async ({ app, databaseUrl }) => {
      const client = await connected(databaseUrl);
      const sockets = manySockets(app.port, CLIENTS);
      const request = `GET /items HTTP/1.1\r\nHost: items\r\nX-API-Key: ${app.adminKey}\r\n\r\n`;
      const stop = again(async () => {
        await client.query('BEGIN; LOCK TABLE items IN ACCESS EXCLUSIVE MODE');
        for (const socket of sockets) socket.write(request);
        await sleep(1_500);
        await client.query('ROLLBACK');
        await sleep(500);
      });
      return {
        undo: async () => {
          await stop();
          for (const socket of sockets) socket.destroy();
          await client.end();
        },
      };
    },
  },
  {
    title: 'the process is given the CPU now and then',
    database: 'sqlite',
    alerts: ['EventLoopDelay'],
    cause: async ({ app }) => {
      const stop = again(async () => {
        app.process.signal('SIGSTOP');
        await sleep(450);
        app.process.signal('SIGCONT');
        await sleep(150);
      });
      return { undo: stop };
    },
  },
  {
    title: `${CONNECTIONS} connections are held`,
    database: 'sqlite',
    alerts: ['ConnectionsFull'],
    cause: async ({ app }) => {
      const sockets = manySockets(app.port, CONNECTIONS);
      const ask = () => sockets.forEach((socket) => socket.write('GET /health/live HTTP/1.1\r\nHost: items\r\n\r\n'));
      ask();
      const asking = setInterval(ask, 4_000);
      return {
        undo: async () => {
          clearInterval(asking);
          for (const socket of sockets) socket.destroy();
        },
      };
    },
  },
  {
    title: 'a table is gone',
    database: 'sqlite',
    alerts: ['ErrorBudgetBurn', 'ServerErrors'],
    cause: async ({ databaseUrl }) => {
      const file = openSqliteFile(databaseUrl);
      file.exec('ALTER TABLE items RENAME TO items_elsewhere');
      return {
        undo: async () => {
          file.exec('ALTER TABLE items_elsewhere RENAME TO items');
          file.close();
        },
      };
    },
  },
  {
    title: 'the receiver of a webhook is down',
    database: 'sqlite',
    alerts: ['WebhooksFailing'],
    cause: async ({ client }) => {
      const answer = await client.post('/webhooks', { url: `https://127.0.0.1:${await freePort()}/`, events: ['*'] });
      if (answer.status !== 201) throw new Error(`No webhook could be made: ${answer.text}`);
      const { id } = /** @type {{ id: string }} */ (answer.json());
      return { undo: () => client.delete(`/webhooks/${id}`) };
    },
  },
  {
    title: 'another instance migrates and does not end',
    database: 'postgres',
    alerts: ['MigrationWaiting'],
    cause: async ({ databaseUrl }) => {
      const client = await connected(databaseUrl);
      await client.query(`SELECT pg_advisory_lock(${MIGRATION_LOCK})`);
      const metricsPort = await freePort();
      const waiting = new AppProcess({
        PORT: String(await freePort()),
        METRICS_PORT: String(metricsPort),
        DATABASE_URL: databaseUrl,
        ADMIN_API_KEY: 'a-key-without-any-use-of-this-length-',
        STOP_DELAY: '0',
      });
      return {
        metricsPort,
        undo: () => client.end(),
        end: async () => {
          waiting.signal('SIGKILL');
          await waiting.ended;
          waiting.discard();
        },
      };
    },
  },
  {
    title: 'a standby that another instance reads is away',
    database: 'postgres',
    alerts: ['StandbyAway'],
    cause: async ({ databaseUrl }) => {
      const metricsPort = await freePort();
      const reader = new AppProcess({
        PORT: String(await freePort()),
        METRICS_PORT: String(metricsPort),
        DATABASE_URL: databaseUrl,
        DATABASE_READ_URL: `postgres://127.0.0.1:${await freePort()}/items`,
        ADMIN_API_KEY: 'a-key-without-any-use-of-this-length-',
        STOP_DELAY: '0',
      });
      const end = async () => {
        reader.signal('SIGKILL');
        await reader.ended;
        reader.discard();
      };
      return { metricsPort, end };
    },
  },
  {
    title: 'a standby that another instance reads lags',
    database: 'postgres',
    alerts: ['StandbyAway'],
    missing: () => (hasPostgresPrograms ? undefined : 'the programs of PostgreSQL are not installed'),
    cause: async () => {
      const pair = await StreamingPair.start();
      const metricsPort = await freePort();
      const reader = new AppProcess({
        PORT: String(await freePort()),
        METRICS_PORT: String(metricsPort),
        DATABASE_URL: pair.primary.url,
        DATABASE_READ_URL: pair.standby.url,
        ADMIN_API_KEY: 'a-key-without-any-use-of-this-length-',
        STOP_DELAY: '0',
      });
      await pair.pause();
      const stop = again(async () => {
        await pair.primary.ask("SELECT pg_logical_emit_message(true, 'items', 'a write')");
        await sleep(200);
      });
      const end = async () => {
        await stop();
        reader.signal('SIGKILL');
        await reader.ended;
        reader.discard();
        await pair.stop();
      };
      return { metricsPort, undo: () => pair.resume(), end };
    },
  },
  {
    title: 'the last backup is two days old',
    database: 'sqlite',
    alerts: ['BackupTooOld'],
    cause: async ({ databaseUrl }) => {
      const file = openSqliteFile(databaseUrl);
      const set = (/** @type {number} */ madeAt) =>
        file.exec(`INSERT OR REPLACE INTO settings VALUES ('backup', '{"madeAt":${madeAt},"file":"/x","bytes":1}')`);
      set(Date.now() - 2 * 86_400_000);
      return { undo: async () => (set(Date.now()), file.close()) };
    },
  },
  {
    title: 'the clock was an hour ahead',
    database: 'sqlite',
    alerts: ['ClockAhead'],
    cause: async ({ databaseUrl }) => {
      const file = openSqliteFile(databaseUrl);
      const add = 'INSERT INTO collection_lanes (collection, lane, seq, n, floor, checkpoint, checkpoint_at)';
      file.exec(`${add} VALUES ('ahead', 0, ${(Date.now() + 3_600_000) * 1000}, 0, 0, 0, 0)`);
      return {
        undo: async () => (file.exec("DELETE FROM collection_lanes WHERE collection = 'ahead'"), file.close()),
      };
    },
  },
  {
    title: 'maintenance is left on',
    database: 'sqlite',
    alerts: ['MaintenanceLeftOn'],
    cause: async ({ databaseUrl }) => {
      await admin(databaseUrl, 'maintenance', 'on', '60');
      return { undo: () => admin(databaseUrl, 'maintenance', 'off') };
    },
  },
];

/**
 * Opens connections from several addresses, because each address has a limit before its first request.
 * @param {number} port
 * @param {number} count
 */
function manySockets(port, count) {
  return Array.from({ length: count }, (_, n) =>
    connect({ host: '127.0.0.1', port, localAddress: `127.0.0.${2 + (n % 8)}` })
      .on('error', () => undefined)
      .resume(),
  );
}

/**
 * Runs a function repeatedly.
 * @param {() => Promise<void>} turn
 * @returns a function that stops after the current run.
 */
function again(turn) {
  let goesOn = true;
  const done = (async () => {
    while (goesOn) await turn();
  })();
  return () => {
    goesOn = false;
    return done;
  };
}

/** @param {string} url */
async function connected(url) {
  const client = new pg.Client({ connectionString: url });
  // The database may be dropped before the client ends.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** @param {string} databaseUrl @param {string[]} args */
async function admin(databaseUrl, ...args) {
  const env = { DATABASE_URL: databaseUrl };
  const { ok, output } = await runNode(['apps/api/dist/admin.js', ...args], { env, output: 'collect' });
  if (!ok) throw new Error(output);
}

/** Mounts a small file system in memory. Needs root. @returns {Disk | undefined} */
function smallDisk() {
  const folder = mkdtempSync(join(tmpdir(), 'items-small-disk-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'items', folder]);
  if (status === 0) return { folder, remove: () => (spawnSync('umount', ['-l', folder]), rmdirSync(folder)) };
  rmdirSync(folder);
  return undefined;
}

/** Fills the rest of a disk. @param {string} file */
function fill(file) {
  try {
    for (;;) appendFileSync(file, Buffer.alloc(4_096));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  }
}
