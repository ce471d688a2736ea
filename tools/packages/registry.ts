import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@items/testing';
import { ownTool } from '../workspace/own-tool.ts';
import { publish, type Publishing } from './publish.ts';

/** A generous limit, because the machine may be busy. */
const START_LIMIT_MS = 180_000;

export interface Registry {
  readonly url: string;
  publish(lib: Publishing, tarball: string): Promise<void>;
  stop(): void;
}

/**
 * Starts a local registry that contains only our packages. npm gets other packages from its usual registry.
 * @param folder working folder; is emptied first.
 * @param ownPort default: a free one.
 */
export async function startRegistry(folder: string, ownPort?: number): Promise<Registry> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const port = ownPort ?? (await freePort());
  const url = `http://127.0.0.1:${String(port)}/`;
  const config = join(folder, 'config.yaml');
  writeFileSync(config, configuration(join(folder, 'storage')));
  const verdaccio = join(await ownTool('verdaccio'), 'verdaccio/bin/verdaccio');
  const child = spawn(process.execPath, [verdaccio, '--config', config, '--listen', `127.0.0.1:${String(port)}`], {
    stdio: 'ignore',
  });
  const stop = (): void => void child.kill();
  try {
    await answers(url, () => child.exitCode !== null);
  } catch (error) {
    stop();
    throw error;
  }
  return { url, stop, publish: (lib, tarball) => publish(lib, tarball, url) };
}

function configuration(storage: string): string {
  return `storage: ${JSON.stringify(storage)}
auth: { htpasswd: { file: ${JSON.stringify(`${storage}.htpasswd`)} } }
uplinks: {}
packages: { '@items/*': { access: $all, publish: $all } }
log: { type: stdout, level: fatal }
`;
}

async function answers(url: string, hasEnded: () => boolean): Promise<void> {
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
