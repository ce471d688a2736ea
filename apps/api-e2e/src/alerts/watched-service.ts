import { join } from 'node:path';

import {
  FragileLink,
  freePort,
  HttpClient,
  itemInput,
  provideDatabase,
  startApp,
  type DatabaseName,
  type RunningApp,
  type TestDatabase,
} from '@items/testing';

import type { SmallDisk } from '../harness/small-disk.js';

/** Maximum number of concurrent requests. Beyond it, none are sent. */
const MAX_IN_FLIGHT = 40;
const PERIOD_MS = 100;
const READY_MS = 180_000;
/** Requested in each period, so that every metric has data. */
const TARGETS = ['/items', '/items?limit=5', '/health/ready', '/events?limit=1'];
/** Number of a Redis database that nothing else on a test machine uses. */
const REDIS_DATABASE = 14;

export interface WatchedOptions {
  readonly database: DatabaseName;
  readonly redis: string;
  /** Disk for the SQLite database. Default: the usual disk. */
  readonly disk?: SmallDisk | undefined;
}

/** Cleanup functions, called in reverse order. */
type Ends = (() => unknown)[];

export interface Parts {
  readonly app: RunningApp;
  /** Has all scopes. */
  readonly client: HttpClient;
  /** Connects directly, bypassing the link. */
  readonly databaseUrl: string;
  /** Unused with SQLite. */
  readonly databaseLink: FragileLink;
  readonly redisLink: FragileLink;
  readonly metricsPort: number;
  readonly disk: SmallDisk | undefined;
}

/**
 * A running service with metrics. Its connections to the database and Redis pass through links, and it gets some
 * requests all the time.
 */
export class WatchedService {
  private inFlight = 0;

  private constructor(
    readonly parts: Parts,
    private readonly ends: Ends,
  ) {
    const traffic = setInterval(() => this.request(), PERIOD_MS);
    ends.push(() => clearInterval(traffic));
  }

  static async start(options: WatchedOptions): Promise<WatchedService> {
    const ends: Ends = [];
    try {
      return new WatchedService(await start(options, ends), ends);
    } catch (error) {
      await endAll(ends);
      throw error;
    }
  }

  stop(): Promise<void> {
    return endAll(this.ends);
  }

  /** Sends a request and ignores its failure. */
  send(request: (client: HttpClient) => Promise<unknown>): void {
    if (this.inFlight >= MAX_IN_FLIGHT) return;
    this.inFlight += 1;
    const over = (): void => void (this.inFlight -= 1);
    request(this.parts.client).then(over, over);
  }

  private request(): void {
    for (const target of TARGETS) this.send((client) => client.get(target));
    this.send((client) => client.post('/items', itemInput()));
  }
}

async function start({ database: name, redis, disk }: WatchedOptions, ends: Ends): Promise<Parts> {
  const database = await (disk === undefined ? provideDatabase(name) : provideOn(disk));
  ends.push(() => database.drop());
  const url = new URL(database.url);
  const databaseLink = await linkTo(url, 5432, ends);
  if (name === 'postgres') url.host = `127.0.0.1:${databaseLink.port}`;
  const redisLink = await linkTo(new URL(redis), 6379, ends);
  const metricsPort = await freePort();
  const app = await startApp({
    database: name,
    readyWithinMs: READY_MS,
    databaseUrl: name === 'postgres' ? url.href : database.url,
    env: {
      METRICS_PORT: String(metricsPort),
      REDIS_URL: `redis://127.0.0.1:${redisLink.port}/${REDIS_DATABASE}`,
      // A short lifetime makes the version cleanup run all the time.
      CURSOR_TTL: '1',
      WEBHOOK_ALLOW: '127.0.0.0/8',
      WEBHOOK_RETRIES: Array.from({ length: 9 }, () => '0.5').join(),
      LOG_LEVEL: 'info',
    },
  });
  ends.push(() => app.stop('SIGKILL'));
  const client = new HttpClient({ baseUrl: app.baseUrl, headers: [['X-API-Key', app.adminKey]] });
  return { app, client, databaseUrl: database.url, databaseLink, redisLink, metricsPort, disk };
}

function provideOn(disk: SmallDisk): TestDatabase {
  return { url: `sqlite:${join(disk.folder, 'items.sqlite')}`, drop: async () => disk.remove() };
}

async function linkTo({ hostname, port }: URL, usualPort: number, ends: Ends): Promise<FragileLink> {
  const link = await FragileLink.to(hostname || '127.0.0.1', Number(port || usualPort));
  ends.push(() => link.close());
  return link;
}

async function endAll(ends: Ends): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end();
}
