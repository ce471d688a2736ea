import { FragileLink, freePort, HttpClient, itemInput, provideDatabase, startApp } from '@items/testing';

/** Maximum number of concurrent requests, reached if responses are slow. */
const MAX_UNDER_WAY = 40;
const PERIOD_MS = 100;
const READY_MS = 180_000;
/** Requested in each period, so that every metric has data. */
const TARGETS = ['/items', '/items?limit=5', '/health/ready', '/events?limit=1'];
/** Number of a Redis database that nothing else on a test machine uses. */
const REDIS_DATABASE = 14;

/**
 * Start options of the service under test.
 * @typedef {object} WatchedOptions
 * @property {import('@items/testing').DatabaseName} database
 * @property {string} redis address of a server
 * @property {string} [databaseUrl] existing SQLite database to use.
 * @property {Record<string, string>} [env]
 */

/**
 * Parts of the service. `ends` are cleanup functions, called in reverse order.
 * @typedef {object} Parts
 * @property {import('@items/testing').RunningApp} app
 * @property {HttpClient} client with all scopes.
 * @property {string} databaseUrl bypasses the link.
 * @property {FragileLink} databaseLink unused with SQLite.
 * @property {FragileLink} redisLink
 * @property {number} metricsPort
 * @property {(() => Promise<unknown>)[]} ends
 */

/**
 * A running service with metrics. Its connections to the database and Redis pass through links, and it gets some
 * requests all the time.
 */
export class WatchedService {
  /** Whether the background requests are paused. */
  isResting = false;
  #underWay = 0;
  #ends;

  /** @param {Parts} parts */
  constructor({ app, client, databaseUrl, databaseLink, redisLink, metricsPort, ends }) {
    this.app = app;
    this.client = client;
    this.databaseUrl = databaseUrl;
    this.databaseLink = databaseLink;
    this.redisLink = redisLink;
    this.metricsPort = metricsPort;
    const traffic = setInterval(() => this.#ask(), PERIOD_MS);
    this.#ends = [...ends, async () => clearInterval(traffic)];
  }

  /** @param {WatchedOptions} options */
  static async start(options) {
    /** @type {Parts['ends']} */
    const ends = [];
    try {
      return new WatchedService(await started(options, ends));
    } catch (error) {
      await undone(ends);
      throw error;
    }
  }

  stop() {
    return undone(this.#ends);
  }

  #ask() {
    if (this.isResting) return;
    for (const target of TARGETS) this.send((client) => client.get(target));
    this.send((client) => client.post('/items', itemInput()));
  }

  /** Sends a request and ignores its failure. @param {(client: HttpClient) => Promise<unknown>} request */
  send(request) {
    if (this.#underWay >= MAX_UNDER_WAY) return;
    this.#underWay += 1;
    const over = () => void (this.#underWay -= 1);
    request(this.client).then(over, over);
  }
}

/** @param {WatchedOptions} options @param {Parts['ends']} ends @returns {Promise<Parts>} */
async function started({ database: name, redis, databaseUrl: given, env }, ends) {
  const database = given === undefined ? await provideDatabase(name) : { url: given, drop: async () => undefined };
  ends.push(() => database.drop());
  const url = new URL(database.url);
  const databaseLink = await linked(url, 5432, ends);
  if (name === 'postgres') url.host = `127.0.0.1:${databaseLink.port}`;
  const redisLink = await linked(new URL(redis), 6379, ends);
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
      ...env,
    },
  });
  ends.push(() => app.stop('SIGKILL'));
  const client = new HttpClient({ baseUrl: app.baseUrl, headers: [['X-API-Key', app.adminKey]] });
  return { app, client, databaseUrl: database.url, databaseLink, redisLink, metricsPort, ends };
}

/** @param {URL} url @param {number} usualPort @param {Parts['ends']} ends */
async function linked({ hostname, port }, usualPort, ends) {
  const link = await FragileLink.to(hostname || '127.0.0.1', Number(port || usualPort));
  ends.push(() => link.close());
  return link;
}

/** @param {Parts['ends']} ends */
async function undone(ends) {
  for (const end of ends.splice(0).reverse()) await end();
}
