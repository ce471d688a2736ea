import './workspace/require-node.js';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { ensureBuilt } from './workspace/build.js';
import { ensureDependencies } from './workspace/dependencies.js';
import { workspaceRoot } from './workspace/root.js';

/* `npm run admin`: installs and builds if necessary, then runs the command. */
try {
  await ensureDependencies('run');
  await ensureBuilt('run');
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
process.chdir(workspaceRoot);
await import(pathToFileURL(join(workspaceRoot, 'apps/api/dist/admin.js')).href);
