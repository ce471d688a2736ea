import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@items/testing';
import { buildContext, copiedSources } from '../container/build-context.ts';
import { workspaceRoot } from '../workspace/root.ts';

const PORT = '4873';

/** Returns the commands of the first `sh` block of a page, without comments. @param {string} page */
function commandsOf(page) {
  const block = /^```sh\n(.*?)^```$/ms.exec(readFileSync(join(workspaceRoot, page), 'utf8'))?.[1] ?? '';
  return block
    .trim()
    .split('\n')
    .map((line) => line.replace(/ +#.*/, ''));
}

/**
 * Runs the three commands of docs/libraries.md. The new service then works without the registry, and its image has all
 * files. @type {import('./trial.js').Trial}
 */
export const documentedInstall = {
  name: 'docs/libraries.md',
  run: async (folder) => {
    const commands = commandsOf('docs/libraries.md');
    const port = await freePort();
    // npm writes its settings into the home folder, unless the variables of `npm run` name another file.
    const own = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
    const env = { ...Object.fromEntries(own), HOME: join(folder, 'home') };
    mkdirSync(env.HOME, { recursive: true });
    const sh = (/** @type {string} */ command, cwd = folder) =>
      execFileSync('bash', ['-c', command.replaceAll(PORT, String(port))], { cwd, env, encoding: 'utf8' });
    try {
      assert.equal(commands.length, 3);
      const [serve = '', configure = '', create = ''] = commands;
      const registry = spawn('bash', ['-c', `exec ${serve} --port ${port}`], {
        cwd: workspaceRoot,
        stdio: ['ignore', 'pipe', 'inherit'],
        detached: true,
      });
      try {
        await servesPackages(registry);
        sh(configure);
        sh(create);
      } finally {
        if (registry.exitCode === null && registry.pid !== undefined) process.kill(-registry.pid, 'SIGTERM');
      }
      const service = join(folder, 'my-service');
      sh('npm install --prefer-offline --no-audit --no-fund', service);
      const lock = readFileSync(join(service, 'package-lock.json'), 'utf8');
      assert.doesNotMatch(lock, /127\.0\.0\.1|localhost|file:\/|file:\.\./);
      sh('npm ci --prefer-offline --no-audit --no-fund && npm test', service);
      requireWholeImage(service);
      return [];
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)];
    }
  },
};

/** @param {import('node:child_process').ChildProcess} registry */
async function servesPackages(registry) {
  let text = '';
  registry.stdout?.setEncoding('utf8').on('data', (chunk) => (text += chunk));
  const ended = once(registry, 'exit');
  while (!/ has \d+ packages/.test(text)) {
    const [code] = await Promise.race([once(/** @type {any} */ (registry.stdout), 'data'), ended]);
    if (typeof code === 'number') throw new Error(`npm run tool -- registry ended with ${code}:\n${text}`);
  }
}

/** @param {string} service folder. @throws {Error} a COPY of the Dockerfile finds no file. */
function requireWholeImage(service) {
  const files = readdirSync(service, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(service.length + 1));
  const context = buildContext(files, readFileSync(join(service, '.dockerignore'), 'utf8'));
  const sources = copiedSources(readFileSync(join(service, 'Dockerfile'), 'utf8'));
  assert.ok(sources.includes('vendor'));
  const missing = sources.filter((source) => !context.some((file) => `${file}/`.startsWith(`${source}/`)));
  assert.deepEqual(missing, []);
}
