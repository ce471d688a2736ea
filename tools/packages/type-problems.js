import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';

/** Ours are ES modules alone: ADR 25. */
const OTHER_RESOLUTIONS = new Set(['node10', 'node16-cjs']);

/**
 * What "are the types wrong?" says of a tarball, by its profile `esm-only`. In this process: its command loads a compiler
 * for each package.
 * @param {Uint8Array} tarball
 * @returns {Promise<string[]>} each in a few words.
 */
export async function typeProblems(tarball) {
  const analysis = await checkPackage(createPackageFromTarballData(tarball));
  if (analysis.types === false) return ['it has no types'];
  return analysis.problems
    .filter((problem) => !('resolutionKind' in problem) || !OTHER_RESOLUTIONS.has(problem.resolutionKind))
    .map((problem) => JSON.stringify(problem, (key, value) => (key === 'trace' ? undefined : value)));
}
