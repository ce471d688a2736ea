import { join } from 'node:path';
import { pinImages } from '../container/pin-images.ts';
import { workspaceRoot } from '../workspace/root.ts';
import { run, runNode } from '../workspace/run.ts';
import { releaseChangelog, requireChanges } from './changelog.ts';
import { pack } from './pack.ts';
import { publishable } from './publishable.ts';
import { writeSbom } from './sbom.ts';

/*
 * `npm run release`: determines the next version of all libs from the commits since the last release. Updates the
 * digests of the container images, and the changelog from "Unreleased". Then commits, tags, and writes tarballs and the
 * SBOM of the service to dist/. Publishes nothing. The first release has the version of the manifests. `-- --dry-run`
 * commits and tags nothing, and writes the same files to tmp/packages, with the changelog.
 */
const args = process.argv.slice(2);
const isDry = args.includes('--dry-run');
const { output: changes } = await run('git', ['status', '--porcelain'], { output: 'collect' });
if (!isDry && changes !== '') {
  console.error(`Commit these first, since a release commits what it changes:\n${changes.trimEnd()}`);
  process.exit(1);
}
if (!isDry) requireChanges();
const { output: tags } = await run('git', ['tag', '--list', 'v*'], { output: 'collect' });
// Without a tag, there is no previous version to count the commits from.
const first = tags.trim() === '' ? [versionOfLibs(), '--first-release'] : [];
const nx = ['node_modules/nx/dist/bin/nx.js', 'release', 'version', ...first, ...args];
const versioning = await runNode(nx, {
  env: { NX_DAEMON: 'false', NX_ISOLATE_PLUGINS: 'false' },
  output: isDry ? 'collect' : 'inherit',
});
process.stdout.write(versioning.output);
if (!versioning.ok) process.exit(1);
if (!isDry) await commit(versionOfLibs(), tags.split('\n'));

await done(runNode(['node_modules/typescript-7/bin/tsc', '-b']));
const target = join(workspaceRoot, isDry ? 'tmp/packages' : 'dist/packages');
for (const { filename } of await pack(publishable(), target)) console.log(join(target, filename));
console.log(await writeSbom(target));
if (isDry) {
  const version = /New version (\S+)/.exec(versioning.output)?.[1] ?? versionOfLibs();
  const changelog = join(target, 'CHANGELOG.md');
  releaseChangelog(version, changelog);
  console.log(`${changelog}\nThe tag would be v${version}.`);
}

/** All libs have the same version. */
function versionOfLibs(): string {
  const [lib] = publishable();
  return lib?.manifest.version ?? '';
}

/** @param tags of previous releases. */
async function commit(version: string, tags: readonly string[]): Promise<void> {
  if (tags.includes(`v${version}`)) {
    console.error(`No lib has changed since ${version}: there is nothing to release.`);
    process.exit(1);
  }
  releaseChangelog(version);
  await pinImages();
  await done(run('git', ['commit', '--quiet', '--all', '--message', `chore(release): ${version}`]));
  await done(run('git', ['tag', '--annotate', '--message', version, `v${version}`]));
}

/** A failed step has already printed its reason. */
async function done(work: Promise<{ readonly ok: boolean }>): Promise<void> {
  if (!(await work).ok) process.exit(1);
}
