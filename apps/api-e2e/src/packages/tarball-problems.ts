import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/** The part of `@arethetypeswrong/core` that is used here. */
interface TypesJudge {
  createPackageFromTarballData(tarball: Uint8Array): object;
  checkPackage(
    content: object,
  ): Promise<{ readonly types: false | object; readonly problems?: readonly { readonly resolutionKind?: string }[] }>;
}

/** Ignored: our packages contain only ES modules, which CommonJS can `require`. ADR 111 */
const OTHER_RESOLUTIONS = new Set(['node16-cjs']);

/*
 * `node tarball-problems.ts JUDGE TARBALL…` prints a list for each tarball, as JSON: the findings of publint, and of
 * "are the types wrong?" with its profile `esm-only`. JUDGE is the entry point of `@arethetypeswrong/core`. A separate
 * program, because Jest loads no ES modules. One process checks all tarballs, because `@arethetypeswrong/core` loads a
 * compiler.
 */
const [judge = '', ...tarballs] = process.argv.slice(2);
const { checkPackage, createPackageFromTarballData } = (await import(pathToFileURL(judge).href)) as TypesJudge;
const found: string[][] = [];
for (const file of tarballs) {
  const tarball = new Uint8Array(readFileSync(file));
  const { messages, pkg } = await publint({ pack: { tarball: tarball.buffer }, strict: true });
  found.push([
    ...messages.map((message) => `publint: ${formatMessage(message, pkg) ?? message.code}`),
    ...(await typeProblems(tarball)),
  ]);
}
process.stdout.write(JSON.stringify(found));

async function typeProblems(tarball: Uint8Array): Promise<string[]> {
  const { types, problems = [] } = await checkPackage(createPackageFromTarballData(tarball));
  if (types === false) return ['it has no types'];
  return problems
    .filter(({ resolutionKind = '' }) => !OTHER_RESOLUTIONS.has(resolutionKind))
    .map((problem) => JSON.stringify(problem, (key, value: unknown) => (key === 'trace' ? undefined : value)));
}
