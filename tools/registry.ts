import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildTarballs } from './packages/build-tarballs.ts';
import { startRegistry } from './packages/registry.ts';
import { step } from './workspace/run.ts';

/*
 * `npm run tool -- registry`: installs and builds if necessary, and serves the packages as a registry on 127.0.0.1,
 * until Ctrl-C. `--port 4874` selects another port.
 */
const { values } = parseArgs({ options: { port: { type: 'string', default: '4873' } } });
const folder = mkdtempSync(join(tmpdir(), 'items-registry-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const packages = await buildTarballs(join(folder, 'tarballs'));
const registry = await startRegistry(join(folder, 'registry'), Number(values.port));
const stop = () => {
  registry.stop();
  process.exit(0);
};
process.once('SIGINT', stop).once('SIGTERM', stop);
await step('Publishing the packages to it', async () => {
  for (const { lib, tarball } of packages) await registry.publish(lib, tarball);
  return { ok: true, output: '' };
});
console.log(`${registry.url} has ${packages.length} packages, until Ctrl-C. For npm to use it:
  npm config set @items:registry ${registry.url}
  npm config delete @items:registry    # afterwards
npm create reuses the packages of its last run, also older ones of the same version. To get these:
  rm -rf "$(npm config get cache)/_npx"`);
