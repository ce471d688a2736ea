import { join } from 'node:path';
import { workspaceRoot } from '../workspace/root.js';
import { run, runNode } from '../workspace/run.js';
import { pack } from './pack.js';
import { publishable } from './publishable.js';
import { writeSbom } from './sbom.js';

/*
 * `npm run release`: the next version of all libs, from the commits since the last; the changelog; a commit and a tag;
 * tarballs, and the SBOM of the service, in dist/. Nothing is published. `-- --dry-run` shows what would be done.
 */
const args = process.argv.slice(2);
const isDry = args.includes('--dry-run');
const { output: tags } = await run('git', ['tag', '--list', 'v*'], { output: 'collect' });
// Without a tag there is no last version to count the commits from.
const first = tags.trim() === '' ? ['--first-release'] : [];
const nx = ['node_modules/nx/dist/bin/nx.js', 'release', '--skip-publish', ...first, ...args];
const released = await runNode(nx, { env: { NX_DAEMON: 'false', NX_ISOLATE_PLUGINS: 'false' } });
if (!released.ok) process.exit(1);

const build = await runNode(['node_modules/typescript-7/bin/tsc', '-b']);
if (!build.ok) process.exit(1);
const target = join(workspaceRoot, isDry ? 'tmp/packages' : 'dist/packages');
for (const { filename } of await pack(publishable(), target)) console.log(join(target, filename));
console.log(await writeSbom(target));
