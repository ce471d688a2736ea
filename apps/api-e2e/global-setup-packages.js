import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import provideServers from '@items/testing/global-setup';
import { pack } from '../../tools/packages/pack.ts';
import { publishable } from '../../tools/packages/publishable.ts';
import { startRegistry } from '../../tools/packages/registry.ts';

/**
 * Packs the libs, and publishes them to a registry on this machine. This is not in a spec, because packing temporarily
 * changes builds and manifests of the workspace. `src/packages/published.ts` reads the result.
 */
export default async function publishPackages() {
  await provideServers();
  const { FOLDER_OF_APPS } = await import('@items/testing');
  process.env[FOLDER_OF_APPS] = mkdtempSync(join(tmpdir(), 'items-apps-'));
  // Outside the workspace, so that packages are not found in its node_modules.
  const folder = mkdtempSync(join(tmpdir(), 'items-packages-'));
  const libs = publishable();
  const packed = await pack(libs, join(folder, 'tarballs'));
  const registry = await startRegistry(join(folder, 'registry'));
  globalThis.stopRegistry = registry.stop;
  process.once('exit', () => {
    registry.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  for (const each of packed) await registry.publish(each, join(folder, 'tarballs', each.filename));
  writeFileSync(join(folder, 'published.json'), JSON.stringify({ folder, registry: registry.url, libs, packed }));
  process.env.PUBLISHED = folder;
}
