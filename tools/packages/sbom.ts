import { join } from 'node:path';
import { workspaceRoot } from '../workspace/root.ts';
import { runNpm } from '../workspace/run.ts';

/**
 * The generator is no workspace dependency; otherwise each installation would include 90 packages for releases only.
 */
const GENERATOR = '@cyclonedx/cyclonedx-npm@6.0.1';

/**
 * Writes an SBOM of the service in CycloneDX JSON: each package of its image with version and checksum. `npm sbom`
 * would omit most dependencies of workspaces.
 * @param folder existing folder.
 * @returns path of the file.
 * @throws {Error} if the registry cannot be reached.
 */
export async function writeSbom(folder: string): Promise<string> {
  const file = join(folder, 'items-api.cdx.json');
  const what = ['--package-lock-only', '--omit', 'dev', '--workspace', '@items/api', '--mc-type', 'application'];
  const how = ['--output-reproducible', '--output-file', file];
  const args = ['exec', '--yes', `--package=${GENERATOR}`, '--', 'cyclonedx-npm', ...what, ...how];
  const { ok, output } = await runNpm(args, { output: 'collect', cwd: workspaceRoot });
  if (!ok) throw new Error(`The SBOM could not be made: ${output}`);
  return file;
}
