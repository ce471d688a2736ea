import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { prepare } from './workspace/build.ts';
import { workspaceRoot as folder } from './workspace/root.ts';

/* `npm run dev`, same as `nx serve api`: builds and runs the service, and restarts it after each change of its sources. */
await prepare('develop');

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
