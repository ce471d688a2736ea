import { randomBytes } from 'node:crypto';

import { Pooler, poolerPrepares } from '../postgres/pooler.js';
import { freePort } from '../servers/free-port.js';
import { startInstance, type Instance } from './instance.js';
import { startPostgresPair, type Postgres } from './postgres.js';
import { startProxy } from './proxy.js';
import { startRedis, type Redis } from './redis.js';
import { Site } from './site.js';

/** The topology of `deploy/`. */
export interface Cluster {
  readonly site: Site;
  /** Address of the proxy, which terminates TLS. */
  readonly address: string;
  /** API key with all scopes. */
  readonly key: string;
  readonly settings: Readonly<Record<'DATABASE_URL', string>>;
  readonly instances: readonly [Instance, Instance];
  readonly primary: Postgres;
  /** Standby with all acknowledged writes. */
  readonly standby: Postgres;
  /** One per PostgreSQL server, or none. */
  readonly poolers: readonly Pooler[];
  readonly redis: Redis;
  /** Ends all processes and deletes their data. */
  stop(): Promise<void>;
}

export interface ClusterOptions {
  /** Further settings of the service. */
  readonly env?: Readonly<Record<string, string>>;
  /** Settings of the first instance only. */
  readonly envOfFirst?: Readonly<Record<string, string>>;
  readonly changeProxy?: (configuration: string) => string;
  /** Whether the instances connect to each PostgreSQL server through PgBouncer. */
  readonly hasPoolers?: boolean;
  /** Runs each step of the start; default: without a message. */
  readonly step?: <T>(what: string, work: () => Promise<T>) => Promise<T>;
}

/**
 * Starts two instances behind a TLS proxy, PostgreSQL with a standby, and Redis, on free ports of 127.0.0.1.
 * @throws {Error} if a program is not installed.
 */
export async function startCluster({
  env = {},
  envOfFirst = {},
  changeProxy,
  hasPoolers = false,
  step = (_, work) => work(),
}: ClusterOptions = {}): Promise<Cluster> {
  const site = new Site();
  try {
    const [{ primary, standby }, redis, port] = await Promise.all([
      step('PostgreSQL with a standby', () => startPostgresPair(site)),
      step('Redis', () => startRedis(site)),
      freePort(),
    ]);
    const key = env['ADMIN_API_KEY'] ?? randomBytes(24).toString('hex');
    const address = `https://localhost:${port}`;
    const servers = [primary, standby];
    const poolers = hasPoolers
      ? await step('PgBouncer', () => Promise.all(servers.map((server) => startPooler(site, server))))
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
    const stop = (): Promise<void> => site.stop();
    return { site, address, key, settings, instances: [a, b], primary, standby, poolers, redis, stop };
  } catch (error) {
    await site.stop();
    throw error;
  }
}

async function startPooler(site: Site, server: Postgres): Promise<Pooler> {
  const pooler = await Pooler.startInFrontOf(server.url, { mode: poolerPrepares ? 'transaction' : 'session' });
  site.atEnd(() => pooler.stop());
  return pooler;
}

/** Formats a URL of several servers, of which the writable one is used. */
export function urlOf(servers: readonly { readonly url: string }[]): string {
  return `postgres://items@${servers.map(({ url }) => new URL(url).host).join()}/items?target_session_attrs=read-write`;
}
