import { FragileLink, freePort, HttpClient, itemInput, provideDatabase, startApp } from '@items/testing';

/** Requests that may be under way at once, where they are answered slowly. */
const MAX_UNDER_WAY = 40;
const PERIOD_MS = 100;
const READY_MS = 180_000;
/** Asked for in each period, so that everything is seen to be used. */
const TARGETS = ['/items', '/items?limit=5', '/health/ready', '/events?limit=1'];
/** A database of Redis that nothing else on a test machine uses. */
const REDIS_DATABASE = 14;

/**
 * How a service of the check is started.
 * @typedef {object} WatchedOptions
 * @property {import('@items/testing').DatabaseName} database
 * @property {string} redis address of a server
 * @property {string} [databaseUrl] a SQLite database to start on.
 * @property {Record<string, string>} [env]
 */

/**
 * What the service is made of; `ends` is done at its end, the last first.
 * @typedef {object} Parts
 * @property {import('@items/testing').RunningApp} app
 * @property {HttpClient} client with every scope
 * @property {string} databaseUrl past the link
 * @property {FragileLink} databaseLink nothing goes through it with SQLite
 * @property {FragileLink} redisLink
 * @property {number} metricsPort
 * @property {(() => Promise<unknown>)[]} ends
 */

/** A running service with metrics, whose database and Redis are behind links, and with some requests all the time. */
export class WatchedService {
  /** Whether nothing is asked for a time. */
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

  /** Whatever becomes of it. @param {(client: HttpClient) => Promise<unknown>} request */
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
      // Versions are looked after all the time.
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
