import { randomBytes } from 'node:crypto';

import {
  ROOMY,
  Site,
  startCluster,
  startInstance,
  type Cluster,
  type ClusterOptions,
  type Instance,
} from '@items/testing';

/** Runs a test on a complete cluster, and stops the cluster afterwards. */
export async function onCluster(
  { env, ...options }: ClusterOptions,
  test: (cluster: Cluster) => Promise<void>,
): Promise<void> {
  const cluster = await startCluster({ ...options, env: { ...ROOMY, ...env } });
  try {
    await test(cluster);
  } finally {
    // Kill instances: a normal stop would wait for STOP_DELAY, although no load balancer needs them any more.
    await Promise.all(cluster.instances.map(({ program }) => program.kill()));
    await cluster.stop();
  }
}

/** Runs a test that starts only parts of a cluster. */
export async function onSite(test: (site: Site) => Promise<void>): Promise<void> {
  const site = new Site();
  try {
    await test(site);
  } finally {
    await site.stop();
  }
}

/** Starts an instance without a proxy. It stops without a delay. */
export async function startAlone(
  site: Site,
  env: Readonly<Record<string, string>>,
): Promise<Instance & { readonly key: string }> {
  const key = randomBytes(24).toString('hex');
  const instance = await startInstance(site, 'instance', { ...ROOMY, STOP_DELAY: '0', ADMIN_API_KEY: key, ...env });
  return { ...instance, key };
}
