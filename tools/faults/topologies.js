import { randomBytes } from 'node:crypto';

import { startCluster } from '../cluster/start-cluster.js';
import { startInstance } from '../cluster/instance.js';
import { Site } from '../cluster/site.js';

const QUOTA = '1000000000/60';
/** No quota runs out. */
export const ROOMY = { RATE_LIMIT: QUOTA, RATE_LIMIT_ANONYMOUS: QUOTA };

/**
 * Does something on a whole cluster, which is gone afterwards.
 * @template T
 * @param {import('../cluster/start-cluster.js').ClusterOptions} options
 * @param {(cluster: import('../cluster/start-cluster.js').Cluster) => Promise<T>} work
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
 * Does something on parts of a cluster.
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
 * An instance that needs no proxy in front of it, and stops at once.
 * @param {Site} site
 * @param {Record<string, string>} env
 * @param {string} [name]
 */
export async function startAlone(site, env, name = 'instance') {
  const key = env['ADMIN_API_KEY'] ?? randomBytes(24).toString('hex');
  const instance = await startInstance(site, name, { ...ROOMY, STOP_DELAY: '0', ADMIN_API_KEY: key, ...env });
  return { ...instance, key };
}

/** What the check has seen, it has seen: no balancer waits for the instances. @param {import('../cluster/start-cluster.js').Cluster} cluster */
async function stopAtOnce({ instances, stop }) {
  await Promise.all(instances.map(({ program }) => program.kill()));
  await stop();
}
