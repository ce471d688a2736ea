import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@items/testing';
import { ownTool } from '../workspace/own-tool.ts';
import { publish } from './publish.js';

/** Generous, because the machine may be busy. */
const START_LIMIT_MS = 180_000;

/**
 * Starts a local registry that contains only our packages. npm gets all others from its usual registry.
 * @param {string} folder working folder; is emptied first.
 * @param {number} [ownPort] default: a free one.
 * @returns {Promise<{ url: string, publish: (lib: import('./publishable.js').Package, tarball: string) => Promise<void>, stop: () => void }>}
 */
export async function startRegistry(folder, ownPort) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const port = ownPort ?? (await freePort());
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

/** @param {string} url @param {() => boolean} hasEnded */
async function answers(url, hasEnded) {
  const until = Date.now() + START_LIMIT_MS;
  while (
    !(await fetch(`${url}-/ping`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (hasEnded() || Date.now() > until)
      throw new Error(`The local registry (verdaccio) did not start on port ${new URL(url).port}.`);
    await pause(100);
  }
}
