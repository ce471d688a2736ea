import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { typeProblems } from './type-problems.js';

/** Files that must not be in a tarball. */
const NOT_SHIPPED = /\.(spec|testing)\.|\.tsbuildinfo$|^dist\/spec\/|jest\.config|^tsconfig/;
const NEEDED = ['LICENSE', 'README.md', 'package.json', 'dist/index.js', 'dist/index.d.ts'];

/**
 * Returns the problems of a package, each as a sentence.
 * @param {import('./publishable.js').Package} lib
 * @param {import('./pack.js').Packed} packed
 * @param {{ tarballs: string, licence: string, version: string }} expected
 * @returns {Promise<string[]>}
 */
export async function judgePackage({ folder }, { filename, files, manifest }, { tarballs, licence, version }) {
  const paths = files.map(({ path }) => path);
  const tarball = new Uint8Array(readFileSync(join(tarballs, filename)));
  const { messages } = await publint({ pack: { tarball: tarball.buffer }, strict: true });
  const types = await typeProblems(tarball);
  return [
    ...NEEDED.filter((path) => !paths.includes(path)).map((path) => `${path} is missing`),
    ...paths.filter((path) => NOT_SHIPPED.test(path)).map((path) => `${path} is packed`),
    ...messages.map((message) => `publint: ${formatMessage(message, manifest) ?? message.code}`),
    ...types.map((problem) => `are the types wrong? ${problem}`),
    ...(readFileSync(join(folder, 'LICENSE'), 'utf8') === licence ? [] : ['its LICENSE is not that of the workspace']),
    ...(manifest.private ? ['it is private'] : []),
    ...(manifest.version === version ? [] : [`its version is ${manifest.version}, that of the others ${version}`]),
    ...faultyRanges(manifest, version),
  ];
}

/**
 * Our packages must be required in the matching version. Nest and similar packages must be peer dependencies of the
 * app.
 * @param {import('./publishable.js').Package['manifest']} manifest
 * @param {string} version
 */
function faultyRanges(manifest, version) {
  const peersOnly = /^(@nestjs\/(common|core|platform-\w+)|class-validator|class-transformer|rxjs|reflect-metadata)$/;
  return Object.entries(manifest.dependencies ?? {}).flatMap(([name, range]) => {
    if (name.startsWith('@items/') && range !== `^${version}`) return [`it asks for ${name} ${range}, not ^${version}`];
    return peersOnly.test(name) ? [`${name} must be a peer dependency`] : [];
  });
}
