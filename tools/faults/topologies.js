import { randomBytes } from 'node:crypto';

import { startCluster } from '../cluster/start-cluster.ts';
import { startInstance } from '../cluster/instance.ts';
import { Site } from '../cluster/site.ts';

const QUOTA = '1000000000/60';
/** Quotas that never run out. */
export const ROOMY = { RATE_LIMIT: QUOTA, RATE_LIMIT_ANONYMOUS: QUOTA };

/**
 * Runs a function on a complete cluster, and stops the cluster afterwards.
 * @template T
 * @param {import('../cluster/start-cluster.ts').ClusterOptions} options
 * @param {(cluster: import('../cluster/start-cluster.ts').Cluster) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function onCluster({ env, ...options }, work) {
  const cluster = await startCluster({ ...options, env: { ...ROOMY, ...env } });
  try {
    return await work(cluster);
  } finally {
    await stopAtOnce(cluster);
  }
}

/**
 * Runs a function on a part of a cluster.
 * @template T
 * @param {(site: Site) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function onSite(work) {
  const site = new Site();
  try {
    return await work(site);
  } finally {
    await site.stop();
  }
}

/**
 * Starts an instance without a proxy, which stops without a delay.
 * @param {Site} site
 * @param {Record<string, string>} env
 * @param {string} [name]
 */
export async function startAlone(site, env, name = 'instance') {
  const key = env['ADMIN_API_KEY'] ?? randomBytes(24).toString('hex');
  const instance = await startInstance(site, name, { ...ROOMY, STOP_DELAY: '0', ADMIN_API_KEY: key, ...env });
  return { ...instance, key };
}

/**
 * Stops without a delay: the check is over, and no load balancer depends on the instances.
 * @param {import('../cluster/start-cluster.ts').Cluster} cluster
 */
async function stopAtOnce({ instances, stop }) {
  await Promise.all(instances.map(({ program }) => program.kill()));
  await stop();
}
