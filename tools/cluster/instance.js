import { freePort } from '@items/testing';

import { workspacePath } from '../bench/server-process.js';

/**
 * An instance of the built service on its own port.
 * @typedef {object} Instance
 * @property {string} address
 * @property {number} port
 * @property {number} metricsPort
 * @property {import('./program.js').Program} program
 * @property {(env?: Record<string, string>) => Promise<void>} startAgain after it has ended.
 */

/**
 * @param {import('./site.js').Site} site
 * @param {string} name
 * @param {Record<string, string>} env in addition to its ports.
 * @returns {Promise<Instance>}
 */
export async function startInstance(site, name, env) {
  const port = await freePort();
  const metricsPort = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const isReady = () => fetch(`${address}/health/ready`, { headers: { connection: 'close' } }).then(({ ok }) => ok);
  const program = await site.run(
    {
      name,
      command: process.execPath,
      args: [workspacePath('apps/api/dist/main.js')],
      cwd: site.folder,
      env: {
        PORT: String(port),
        METRICS_PORT: String(metricsPort),
        NODE_COMPILE_CACHE: workspacePath('tmp/compile-cache'),
        ...env,
      },
    },
    isReady,
  );
  return {
    address,
    port,
    metricsPort,
    program,
    startAgain: async (more) => {
      program.start(more);
      await site.ready(program, isReady);
    },
  };
}
