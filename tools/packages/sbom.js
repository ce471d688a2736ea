import { join } from 'node:path';
import { workspaceRoot } from '../workspace/root.js';
import { runNpm } from '../workspace/run.js';

/** Not a dependency of ours: it would bring 90 packages to every installation for what a release alone needs. */
const GENERATOR = '@cyclonedx/cyclonedx-npm@6.0.1';

/**
 * Writes what the service is made of, in CycloneDX's JSON: each package that its image has, by version and checksum. Not by
 * `npm sbom`, which leaves out most dependencies of workspaces.
 * @param {string} folder that is there
 * @returns {Promise<string>} the file.
 * @throws {Error} where the registry cannot be reached.
 */
export async function writeSbom(folder) {
  const file = join(folder, 'items-api.cdx.json');
  const what = ['--package-lock-only', '--omit', 'dev', '--workspace', '@items/api', '--mc-type', 'application'];
  const how = ['--output-reproducible', '--output-file', file];
  const args = ['exec', '--yes', `--package=${GENERATOR}`, '--', 'cyclonedx-npm', ...what, ...how];
  const { ok, output } = await runNpm(args, { output: 'collect', cwd: workspaceRoot });
  if (!ok) throw new Error(`The SBOM could not be made: ${output}`);
  return file;
}
