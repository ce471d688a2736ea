import './workspace/require-node.js';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from './workspace/build.js';
import { ensureDependencies } from './workspace/dependencies.js';
import { workspaceRoot as folder } from './workspace/root.js';

/*
 * `npm run dev`, same as `nx serve api`: builds and runs the service, and restarts it after each change of its
 * sources.
 */
try {
  await ensureDependencies();
  await ensureBuilt();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

const { DevelopmentRunner } = await import('../libs/service/dist/service/development/development-runner.js');
const build = ['node_modules/typescript-7/bin/tsc', '-b', 'apps/api/tsconfig.app.json'];
const libs = readdirSync(join(folder, 'libs')).map((name) => `libs/${name}/src`);
await new DevelopmentRunner({
  folder,
  sources: ['apps/api/src', ...libs].map((path) => join(folder, path)),
  compile: [...build, '--noCheck'],
  check: build,
  main: 'apps/api/dist/main.js',
}).run();
