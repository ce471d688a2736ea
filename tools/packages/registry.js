import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@items/testing';
import { ownTool } from '../workspace/own-tool.js';
import { publish } from './publish.js';

const START_LIMIT_MS = 30_000;

/**
 * Starts a registry on this machine that has our packages and no others: npm gets those from where it always does.
 * @param {string} folder that it may use; what is in it goes.
 * @returns {Promise<{ url: string, publish: (lib: import('./publishable.js').Package, tarball: string) => Promise<void>, stop: () => void }>}
 */
export async function startRegistry(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const config = join(folder, 'config.yaml');
  writeFileSync(config, configuration(join(folder, 'storage')));
  const verdaccio = join(await ownTool('verdaccio'), 'verdaccio/bin/verdaccio');
  const child = spawn(process.execPath, [verdaccio, '--config', config, '--listen', `127.0.0.1:${port}`], {
    stdio: 'ignore',
  });
  const stop = () => void child.kill();
  await answers(url, () => child.exitCode !== null).catch((error) => {
    stop();
    throw error;
  });
  return { url, stop, publish: (lib, tarball) => publish(lib, tarball, url) };
}

function configuration(/** @type {string} */ storage) {
  return `storage: ${JSON.stringify(storage)}
auth: { htpasswd: { file: ${JSON.stringify(`${storage}.htpasswd`)} } }
uplinks: {}
packages: { '@items/*': { access: $all, publish: $all } }
log: { type: stdout, level: fatal }
`;
}

async function answers(/** @type {string} */ url, /** @type {() => boolean} */ hasEnded) {
  const until = Date.now() + START_LIMIT_MS;
  while (
    !(await fetch(`${url}-/ping`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (hasEnded() || Date.now() > until) throw new Error('The local registry (verdaccio) did not start.');
    await pause(100);
  }
}
