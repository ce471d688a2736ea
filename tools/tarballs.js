import './workspace/require-node.js';
import { join, resolve } from 'node:path';
import { pack } from './packages/pack.js';
import { publishable } from './packages/publishable.js';
import { ensureDependencies } from './workspace/dependencies.js';
import { workspaceRoot } from './workspace/root.js';
import { runNode } from './workspace/run.js';
import { step } from './workspace/step.js';

/*
 * `npm run tool -- tarballs [folder]`: installs and builds if necessary, and writes the tarballs of the packages;
 * default folder: tmp/packages.
 */
const folder = resolve(process.env['INIT_CWD'] ?? '', process.argv[2] ?? join(workspaceRoot, 'tmp/packages'));
const packages = publishable();
const sources = packages.map((each) => join(each.folder, 'tsconfig.lib.json'));
try {
  await ensureDependencies();
  // Rebuild everything, because `npm start` builds without a type check and may emit incomplete declarations.
  const { ok } = await step('Building the packages (tsc)', () =>
    runNode(['node_modules/typescript-7/bin/tsc', '-b', '--force', ...sources], { output: 'collect' }),
  );
  if (!ok) throw new Error('The build failed: the compiler says why above.');
  for (const { filename } of await pack(packages, folder)) console.log(join(folder, filename));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
