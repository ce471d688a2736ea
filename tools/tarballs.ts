import { resolve } from 'node:path';
import { buildTarballs } from './packages/build-tarballs.ts';
import { workspacePath } from './workspace/root.ts';

/*
 * `npm run tool -- tarballs [folder]`: installs and builds if necessary, and writes the tarballs of the packages;
 * default folder: tmp/packages.
 */
const folder = resolve(process.env['INIT_CWD'] ?? '', process.argv[2] ?? workspacePath('tmp/packages'));
for (const { tarball } of await buildTarballs(folder)) console.log(tarball);
