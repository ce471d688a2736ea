import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { freePort } from '@items/testing';
import { buildContext, copiedSources } from '@items/tools/container/build-context.ts';
import { workspaceRoot } from '@items/tools/workspace/root.ts';

import { newFolder } from './consumer.js';

const PORT = '4873';

/** Commands of the first `sh` block of the page, without comments. */
const commands = (
  /^```sh\n(.*?)^```$/ms.exec(readFileSync(join(workspaceRoot, 'docs/libraries.md'), 'utf8'))?.[1] ?? ''
)
  .trim()
  .split('\n')
  .map((line) => line.replace(/ +#.*/, ''));

export function describeDocumentedInstall(): void {
  describe('The commands of docs/libraries.md', () => {
    const folder = newFolder();
    const service = join(folder, 'my-service');
    // Without the variables of `npm run`, npm writes its settings into the home folder.
    const own = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
    const env = { ...Object.fromEntries(own), HOME: join(folder, 'home') };

    const sh = (command: string, cwd = folder): string =>
      execFileSync('bash', ['-c', command], { cwd, env, encoding: 'utf8' });

    beforeAll(async () => {
      mkdirSync(env.HOME);
      const [serve = '', configure = '', create = ''] = commands;
      const port = String(await freePort());
      const registry = spawn('bash', ['-c', `exec ${serve} --port ${port}`], {
        cwd: workspaceRoot,
        stdio: ['ignore', 'pipe', 'inherit'],
        detached: true,
      });
      try {
        await servesPackages(registry);
        sh(configure.replaceAll(PORT, port));
        sh(create);
      } finally {
        if (registry.exitCode === null && registry.pid !== undefined) process.kill(-registry.pid, 'SIGTERM');
      }
      sh('npm install --prefer-offline --no-audit --no-fund', service);
    });

    it('are three: serve, configure, create', () => {
      expect(commands).toHaveLength(3);
    });

    it('create a service whose lock file names no machine and no folder', () => {
      const lock = readFileSync(join(service, 'package-lock.json'), 'utf8');
      expect(lock).not.toMatch(/127\.0\.0\.1|localhost|file:\/|file:\.\./);
    });

    it('create a service that installs and passes its test without the registry', () => {
      sh('npm ci --prefer-offline --no-audit --no-fund && npm test', service);
    });

    it('create a service whose image gets each file that its Dockerfile copies', () => {
      const files = readdirSync(service, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(service.length + 1));
      const context = buildContext(files, readFileSync(join(service, '.dockerignore'), 'utf8'));
      const sources = copiedSources(readFileSync(join(service, 'Dockerfile'), 'utf8'));
      expect(sources).toContain('vendor');
      expect(sources.filter((source) => !context.some((file) => `${file}/`.startsWith(`${source}/`)))).toEqual([]);
    });
  });
}

/** Waits until `npm run tool -- registry` has published all packages. */
async function servesPackages(registry: ChildProcess): Promise<void> {
  let text = '';
  registry.stdout?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const ended = once(registry, 'exit');
  while (!/ has \d+ packages/.test(text)) {
    const [code] = (await Promise.race([once(registry.stdout!, 'data'), ended])) as [unknown];
    if (typeof code === 'number') throw new Error(`npm run tool -- registry ended with ${String(code)}:\n${text}`);
  }
}
