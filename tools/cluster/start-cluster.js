import { randomBytes } from 'node:crypto';

import { freePort } from '@items/testing';

import { startInstance } from './instance.js';
import { startPgBouncer } from './pgbouncer.js';
import { startPostgres } from './postgres.js';
import { startProxy } from './proxy.js';
import { startRedis } from './redis.js';
import { Site } from './site.js';

/**
 * The topology of `deploy/`.
 * @typedef {object} Cluster
 * @property {Site} site
 * @property {string} address of the proxy, which terminates TLS.
 * @property {string} key has all scopes.
 * @property {Readonly<Record<'DATABASE_URL', string>>} settings of both instances.
 * @property {readonly [import('./instance.js').Instance, import('./instance.js').Instance]} instances
 * @property {import('./postgres.js').Postgres} primary
 * @property {import('./postgres.js').Postgres} standby has all acknowledged writes.
 * @property {readonly { readonly url: string }[]} poolers one per PostgreSQL server, or none.
 * @property {Awaited<ReturnType<typeof startRedis>>} redis
 * @property {() => Promise<void>} stop ends all processes and deletes their data.
 */

/**
 * @typedef {object} ClusterOptions
 * @property {Record<string, string>} [env] further settings of the service.
 * @property {Record<string, string>} [envOfFirst] settings of the first instance only.
 * @property {(configuration: string) => string} [changeProxy]
 * @property {boolean} [hasPoolers] whether the instances connect to each PostgreSQL server through PgBouncer.
 * @property {Step} [step] runs each step of the start; default: without a message.
 */

/**
 * @callback Step
 * @param {string} what
 * @param {() => Promise<any>} work
 * @returns {Promise<any>} the result of `work`.
 */

/**
 * Starts two instances behind a TLS proxy, PostgreSQL with a standby, and Redis, on free ports of 127.0.0.1.
 * @param {ClusterOptions} [options]
 * @returns {Promise<Cluster>}
 * @throws {import('./binaries.js').MissingProgramError} if a program is not installed.
 */
export async function startCluster({
  env = {},
  envOfFirst = {},
  changeProxy,
  hasPoolers = false,
  step = (_, work) => work(),
} = {}) {
  const site = new Site();
  try {
    const [{ primary, standby }, redis, port] = await Promise.all([
      step('PostgreSQL with a standby', () => startPostgres(site, { hasStandby: true })),
      step('Redis', () => startRedis(site)),
      freePort(),
    ]);
    if (standby === undefined) throw new Error('There is no standby');
    const key = env['ADMIN_API_KEY'] ?? randomBytes(24).toString('hex');
    const address = `https://localhost:${port}`;
    const servers = [primary, standby];
    const poolers = hasPoolers
      ? await step('PgBouncer', () => Promise.all(servers.map((server) => poolerOf(site, server))))
      : [];
    const settings = {
      DATABASE_URL: urlOf(hasPoolers ? poolers : servers),
      MIGRATION_DATABASE_URL: urlOf(servers),
      DATABASE_READ_URL: standby.url,
      REDIS_URL: redis.url,
      ADMIN_API_KEY: key,
      BASE_URL: address,
      NODE_ENV: 'production',
      TRUST_PROXY: '127.0.0.1',
      ...env,
    };
    const a = await step('Instance a, which creates the tables', () =>
      startInstance(site, 'instance-a', { ...settings, ...envOfFirst }),
    );
    const b = await step('Instance b', () => startInstance(site, 'instance-b', settings));
    await step('HAProxy', () => startProxy(site, port, [a.port, b.port], changeProxy));
    const stop = () => site.stop();
    return { site, address, key, settings, instances: [a, b], primary, standby, poolers, redis, stop };
  } catch (error) {
    await site.stop();
    throw error;
  }
}

/** @param {import('./site.js').Site} site @param {import('./postgres.js').Postgres} server */
function poolerOf(site, { name, port }) {
  return startPgBouncer(site, port, { name: `pgbouncer-${name}`, mode: 'best' });
}

/**
 * Formats a URL of several servers, of which the writable one is used.
 * @param {readonly { readonly url: string }[]} servers
 */
export function urlOf(servers) {
  return `postgres://items@${servers.map(({ url }) => new URL(url).host).join()}/items?target_session_attrs=read-write`;
}
