import './workspace/require-node.js';
import { join, resolve } from 'node:path';
import { buildTarballs } from './packages/build-tarballs.js';
import { workspaceRoot } from './workspace/root.js';

/*
 * `npm run tool -- tarballs [folder]`: installs and builds if necessary, and writes the tarballs of the packages;
 * default folder: tmp/packages.
 */
const folder = resolve(process.env['INIT_CWD'] ?? '', process.argv[2] ?? join(workspaceRoot, 'tmp/packages'));
try {
  for (const { tarball } of await buildTarballs(folder)) console.log(tarball);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
