import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ownTool } from '../workspace/own-tool.ts';

/** Our packages are only ES modules, which CommonJS can `require`: ADR 111. */
const OTHER_RESOLUTIONS = new Set(['node16-cjs']);

/**
 * Returns the findings of "are the types wrong?" for a tarball, with its profile `esm-only`. Runs in this process,
 * because the command would load a compiler for each package.
 * @param {Uint8Array} tarball
 * @returns {Promise<string[]>} each in a few words.
 */
export async function typeProblems(tarball) {
  const entry = join(await ownTool('arethetypeswrong'), '@arethetypeswrong/core/dist/index.js');
  const { checkPackage, createPackageFromTarballData } = await import(pathToFileURL(entry).href);
  const analysis = await checkPackage(createPackageFromTarballData(tarball));
  if (analysis.types === false) return ['it has no types'];
  /** @type {{ resolutionKind?: string }[]} */
  const problems = analysis.problems;
  return problems
    .filter((problem) => !OTHER_RESOLUTIONS.has(problem.resolutionKind ?? ''))
    .map((problem) => JSON.stringify(problem, (key, value) => (key === 'trace' ? undefined : value)));
}
