import { pathToFileURL } from 'node:url';
import { prepare } from './workspace/build.ts';
import { workspaceRoot } from './workspace/root.ts';

/* `npm run admin`: installs and builds if necessary, then runs the command. */
await prepare('run');
process.chdir(workspaceRoot);
await import(pathToFileURL('apps/api/dist/admin.js').href);
