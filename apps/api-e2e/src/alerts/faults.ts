import { execFileSync } from 'node:child_process';
import { renameSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import {
  AppProcess,
  freePort,
  hasPostgresPrograms,
  itemInput,
  openSqliteFile,
  StreamingPair,
  waitUntil,
  type DatabaseName,
} from '@items/testing';
import { Client } from 'pg';

import { expectStatus } from '../harness/reading.js';
import { lackOfDisk } from '../harness/small-disk.js';
import type { Parts, WatchedService } from './watched-service.js';

/** Id of the migration lock in `postgres-source.ts`. */
const MIGRATION_LOCK = 0x17e_5eed;
/** More than 90 % of the connections that one process accepts. */
const CONNECTIONS = 3_900;
/** Enough concurrent clients that the service must refuse some. */
const CLIENTS = 600;
/** Time in which a process is scraped at least once. */
const SCRAPED_WITHIN_MS = 4_500;

/** A fault and its expected alerts. */
export interface AlertFault {
  readonly title: string;
  readonly database: DatabaseName;
  /** Exactly these alerts must fire. */
  readonly alerts: readonly string[];
  /** Red tiles that belong to none of these alerts. */
  readonly tiles?: readonly string[];
  /** If true, the SQLite file is on a small disk. */
  readonly hasSmallDisk?: boolean;
  /** Reason why this machine cannot cause the fault, if any. */
  readonly lack?: string | undefined;
  readonly cause: (parts: Parts, send: WatchedService['send']) => Promise<Caused>;
}

export interface Caused {
  /** Ends the fault. Absent if only a restart of the service helps. */
  readonly undo?: () => unknown;
  /** Metrics port of another process, which is watched instead of the service. */
  readonly metricsPort?: number;
  /** Stops all processes that the fault started. */
  readonly end?: () => unknown;
}

export function alertFaults(): readonly AlertFault[] {
  return [
    {
      title: 'the process is killed',
      database: 'sqlite',
      alerts: ['InstanceDown'],
      cause: async ({ app }) => {
        app.process.signal('SIGKILL');
        return {};
      },
    },
    {
      title: 'a process ends soon after each start',
      database: 'sqlite',
      alerts: ['CrashLoop'],
      cause: async ({ databaseUrl }) => {
        const metricsPort = await freePort();
        const start = (): Promise<AppProcess> => anotherProcess(metricsPort, { DATABASE_URL: databaseUrl });
        let running = await start();
        const stop = again(async () => {
          await waitUntil('it serves metrics', async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).ok);
          await sleep(SCRAPED_WITHIN_MS);
          await kill(running);
          running = await start();
        });
        return {
          metricsPort,
          undo: stop,
          end: async () => {
            await stop();
            await kill(running);
          },
        };
      },
    },
    {
      title: 'PostgreSQL is cut off',
      database: 'postgres',
      alerts: ['DatabaseAway', 'ErrorBudgetBurn'],
      cause: async ({ databaseLink: link }) => {
        link.cut();
        return { undo: () => link.restore() };
      },
    },
    {
      title: 'the SQLite file is moved away',
      database: 'sqlite',
      alerts: ['DatabaseFileLost', 'ErrorBudgetBurn'],
      tiles: ['Database'],
      cause: async ({ databaseUrl }) => {
        const file = databaseUrl.replace('sqlite:', '');
        renameSync(file, `${file}.away`);
        return { undo: () => renameSync(`${file}.away`, file) };
      },
    },
    {
      title: 'the disk is full',
      database: 'sqlite',
      alerts: ['DiskFull', 'ErrorBudgetBurn'],
      tiles: ['Database'],
      hasSmallDisk: true,
      lack: lackOfDisk(),
      cause: async ({ disk }) => {
        const stop = again(async () => {
          disk?.fill();
          await sleep(100);
        });
        return {
          undo: async () => {
            await stop();
            disk?.free();
          },
        };
      },
    },
    {
      title: 'Redis is cut off',
      database: 'sqlite',
      alerts: ['RedisAway'],
      cause: async ({ redisLink: link }) => {
        link.cut();
        return { undo: () => link.restore() };
      },
    },
    {
      title: 'another process writes to the SQLite file all the time',
      database: 'sqlite',
      alerts: ['LatencyBudgetBurn', 'SlowRequests', 'WriterQueue'],
      cause: async ({ databaseUrl }, send) => {
        const file = openSqliteFile(databaseUrl);
        const stop = again(async () => {
          for (let n = 0; n < 5; n += 1) send((client) => client.post('/items', itemInput()));
          file.exec('BEGIN IMMEDIATE');
          await sleep(3_000);
          file.exec('ROLLBACK');
          await sleep(60);
        });
        return {
          undo: async () => {
            await stop();
            file.close();
          },
        };
      },
    },
    {
      title: 'a table of PostgreSQL is locked again and again',
      database: 'postgres',
      alerts: ['LatencyBudgetBurn', 'SlowRequests', 'WriterQueue'],
      cause: async ({ databaseUrl }, send) => {
        const database = await connectTo(databaseUrl);
        const stop = again(async () => {
          await database.query('BEGIN; LOCK TABLE items IN ACCESS EXCLUSIVE MODE');
          for (let n = 0; n < 40; n += 1) send((client) => client.get('/items'));
          await sleep(1_500);
          await database.query('ROLLBACK');
        });
        return {
          undo: async () => {
            await stop();
            await database.end();
          },
        };
      },
    },
    {
      title: `${CLIENTS} clients ask while a table of PostgreSQL is locked again and again`,
      database: 'postgres',
      alerts: ['ErrorBudgetBurn', 'LatencyBudgetBurn', 'Overloaded', 'SlowRequests', 'WriterQueue'],
      cause: async ({ app, databaseUrl }) => {
        const database = await connectTo(databaseUrl);
        const sockets = manySockets(app.port, CLIENTS);
        const request = `GET /items HTTP/1.1\r\nHost: items\r\nX-API-Key: ${app.adminKey}\r\n\r\n`;
        const stop = again(async () => {
          await database.query('BEGIN; LOCK TABLE items IN ACCESS EXCLUSIVE MODE');
          for (const socket of sockets) socket.write(request);
          await sleep(1_500);
          await database.query('ROLLBACK');
          await sleep(500);
        });
        return {
          undo: async () => {
            await stop();
            for (const socket of sockets) socket.destroy();
            await database.end();
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
        const ask = (): void => {
          for (const socket of sockets) socket.write('GET /health/live HTTP/1.1\r\nHost: items\r\n\r\n');
        };
        ask();
        const asking = setInterval(ask, 4_000);
        return {
          undo: () => {
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
          undo: () => {
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
        expectStatus(answer, 201);
        const { id } = answer.json() as { id: string };
        return { undo: () => client.delete(`/webhooks/${id}`) };
      },
    },
    {
      title: 'another instance migrates and does not end',
      database: 'postgres',
      alerts: ['MigrationWaiting'],
      cause: async ({ databaseUrl }) => {
        const database = await connectTo(databaseUrl);
        await database.query(`SELECT pg_advisory_lock(${MIGRATION_LOCK})`);
        const metricsPort = await freePort();
        const waiting = await anotherProcess(metricsPort, { DATABASE_URL: databaseUrl });
        return { metricsPort, undo: () => database.end(), end: () => kill(waiting) };
      },
    },
    {
      title: 'a standby that another instance reads is away',
      database: 'postgres',
      alerts: ['StandbyAway'],
      cause: async ({ databaseUrl }) => {
        const metricsPort = await freePort();
        const standby = `postgres://127.0.0.1:${await freePort()}/items`;
        const reader = await anotherProcess(metricsPort, { DATABASE_URL: databaseUrl, DATABASE_READ_URL: standby });
        return { metricsPort, end: () => kill(reader) };
      },
    },
    {
      title: 'a standby that another instance reads lags',
      database: 'postgres',
      alerts: ['StandbyAway'],
      lack: hasPostgresPrograms ? undefined : 'the programs of PostgreSQL are not installed',
      cause: async () => {
        const pair = await StreamingPair.start();
        const metricsPort = await freePort();
        const urls = { DATABASE_URL: pair.primary.url, DATABASE_READ_URL: pair.standby.url };
        const reader = await anotherProcess(metricsPort, urls);
        await pair.pause();
        const stop = again(async () => {
          await pair.primary.ask("SELECT pg_logical_emit_message(true, 'items', 'a write')");
          await sleep(200);
        });
        const end = async (): Promise<void> => {
          await stop();
          await kill(reader);
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
        const set = (madeAt: number): void =>
          file.exec(`INSERT OR REPLACE INTO settings VALUES ('backup', '{"madeAt":${madeAt},"file":"/x","bytes":1}')`);
        set(Date.now() - 2 * 86_400_000);
        return {
          undo: () => {
            set(Date.now());
            file.close();
          },
        };
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
          undo: () => {
            file.exec("DELETE FROM collection_lanes WHERE collection = 'ahead'");
            file.close();
          },
        };
      },
    },
    {
      title: 'maintenance is left on',
      database: 'sqlite',
      alerts: ['MaintenanceLeftOn'],
      cause: async ({ databaseUrl }) => {
        admin(databaseUrl, 'maintenance', 'on', '60');
        return { undo: () => admin(databaseUrl, 'maintenance', 'off') };
      },
    },
  ];
}

/** Starts another process of the service, which need not become ready. */
async function anotherProcess(metricsPort: number, env: Readonly<Record<string, string>>): Promise<AppProcess> {
  return new AppProcess({
    PORT: String(await freePort()),
    METRICS_PORT: String(metricsPort),
    ADMIN_API_KEY: 'a-key-without-any-use-of-this-length-',
    STOP_DELAY: '0',
    ...env,
  });
}

async function kill(process: AppProcess): Promise<void> {
  process.signal('SIGKILL');
  await process.ended;
  process.discard();
}

/** Opens connections from several addresses, because each address has a limit before its first request. */
function manySockets(port: number, count: number): readonly Socket[] {
  return Array.from({ length: count }, (_, n) =>
    connect({ host: '127.0.0.1', port, localAddress: `127.0.0.${2 + (n % 8)}` })
      .on('error', () => undefined)
      .resume(),
  );
}

/** Runs a function repeatedly. @returns a function that stops after the current run. */
function again(turn: () => Promise<void>): () => Promise<void> {
  let isRunning = true;
  const run = async (): Promise<void> => {
    while (isRunning) await turn();
  };
  const done = run();
  return () => {
    isRunning = false;
    return done;
  };
}

async function connectTo(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString });
  // The database may be dropped before the client ends.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

function admin(databaseUrl: string, ...args: readonly string[]): void {
  const env = { PATH: process.env['PATH'], NODE_PATH: process.env['NODE_PATH'], DATABASE_URL: databaseUrl };
  execFileSync(process.execPath, [join(__dirname, '../../../api/dist/admin.js'), ...args], { env, stdio: 'pipe' });
}
