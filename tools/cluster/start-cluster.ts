import { randomBytes } from 'node:crypto';

import { freePort } from '@items/testing';

import { startInstance, type Instance } from './instance.ts';
import { startPgBouncer } from './pgbouncer.ts';
import { startPostgres, type Postgres } from './postgres.ts';
import { startProxy } from './proxy.ts';
import { startRedis } from './redis.ts';
import { Site } from './site.ts';

/** The topology of `deploy/`. */
export interface Cluster {
  site: Site;
  /** Address of the proxy, which terminates TLS. */
  address: string;
  /** A key with all scopes. */
  key: string;
  /** Settings of both instances. */
  settings: Readonly<Record<'DATABASE_URL', string>>;
  instances: readonly [Instance, Instance];
  primary: Postgres;
  /** A synchronous standby: it has all acknowledged writes. */
  standby: Postgres;
  /** One per PostgreSQL server, or none. */
  poolers: readonly { readonly url: string }[];
  redis: Awaited<ReturnType<typeof startRedis>>;
  /** Ends all processes and deletes their data. */
  stop: () => Promise<void>;
}

export interface ClusterOptions {
  /** Further settings of the service. */
  env?: Record<string, string>;
  /** Settings of the first instance only. */
  envOfFirst?: Record<string, string>;
  changeProxy?: (configuration: string) => string;
  /** The instances connect to each PostgreSQL server through PgBouncer. */
  hasPoolers?: boolean;
  /** Runs each step of the start; default: without a message. */
  step?: Step;
}

export type Step = <T>(what: string, work: () => Promise<T>) => Promise<T>;

/**
 * Starts two instances behind a TLS proxy, PostgreSQL with a standby, and Redis, on free ports of 127.0.0.1.
 * @throws {MissingProgramError} if a program is not installed.
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

function poolerOf(site: Site, { name, port }: Postgres) {
  return startPgBouncer(site, port, { name: `pgbouncer-${name}`, mode: 'best' });
}

/** Formats a URL of several servers, of which the writable one is used. */
export function urlOf(servers: readonly { readonly url: string }[]) {
  return `postgres://items@${servers.map(({ url }) => new URL(url).host).join()}/items?target_session_attrs=read-write`;
}
