import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { workspaceRoot } from '../workspace/root.ts';
import { inPairs } from '../workspace/in-pairs.ts';
import { judgePackage } from './judge-package.js';
import { nextRelease } from './next-release.js';
import { pack } from './pack.js';
import { publishable } from './publishable.js';
import { startRegistry } from './registry.js';
import { trials } from './trials.js';
import { tryPackage } from './try-package.js';
import { tryUpgrade } from './upgrade.js';

const UPGRADE = 'upgrade by npm update';

/**
 * Packs the libs, validates the tarballs, and uses each from a folder outside the workspace.
 * @param {string} postgres URL of a server, or empty.
 * @param {string} [only] part of the names to test; empty: all.
 * @returns {Promise<{ name: string, faults: string[] }[]>} results by package, then by trial, then of the upgrade.
 */
export async function tryPackages(postgres, only = '') {
  // Outside the workspace, so that its node_modules is not found.
  const folder = mkdtempSync(join(tmpdir(), 'items-packages-'));
  const tarballs = join(folder, 'tarballs');
  const registry = await startRegistry(join(folder, 'registry'));
  try {
    const libs = publishable();
    const packed = await pack(libs, tarballs);
    const released = libs.flatMap((lib) => {
      const found = packed.find(({ name }) => name === lib.name);
      if (found === undefined) return [];
      return [{ lib: { ...lib, manifest: found.manifest }, tarball: join(tarballs, found.filename) }];
    });
    for (const { lib, tarball } of released) await registry.publish(lib, tarball);
    const licence = readFileSync(join(workspaceRoot, 'LICENSE'), 'utf8');
    const expected = { tarballs, licence, version: libs[0]?.manifest.version ?? '' };
    const judged = libs
      .filter(({ name }) => name.includes(only))
      .map((lib) => async () => {
        const found = packed.find(({ name }) => name === lib.name);
        const alone = { folder: join(folder, 'alone', basename(lib.folder)), registry: registry.url };
        const faults = found === undefined ? ['it was not packed'] : await judgePackage(lib, found, expected);
        return { name: lib.name, faults: [...faults, ...(await tryPackage(lib, alone))] };
      });
    const tried = trials(postgres)
      .filter(({ name }) => name.includes(only))
      .map(({ name, run }) => async () => ({
        name,
        faults: await run(join(folder, 'trials', basename(name)), registry.url),
      }));
    const results = await inPairs([...judged, ...tried]);
    if (!UPGRADE.includes(only)) return results;
    // Last, because afterwards all other trials would get the next release.
    const publishNext = async () => {
      const { version, packages } = nextRelease(released, join(folder, 'next'));
      for (const { lib, tarball } of packages) await registry.publish(lib, tarball);
      return version;
    };
    const faults = await tryUpgrade(join(folder, 'upgrade'), registry.url, publishNext);
    return [...results, { name: UPGRADE, faults }];
  } finally {
    registry.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
