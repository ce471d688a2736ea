import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';

import type { Package } from '@items/tools/packages/publishable.ts';
import { ownTool } from '@items/tools/workspace/own-tool.ts';
import { workspaceRoot } from '@items/tools/workspace/root.ts';

import { createConsumer } from './consumer.js';
import { published, tarballOf } from './published.js';
import { readmeExample } from './readme-example.js';

/** Files that must not be in a tarball. */
const NOT_SHIPPED = /\.(spec|testing)\.|\.tsbuildinfo$|^dist\/spec\/|jest\.config|^tsconfig/;
const NEEDED = ['LICENSE', 'README.md', 'package.json', 'dist/index.js', 'dist/index.d.ts'];
/** Packages that an app must have only once. */
const PEERS_ONLY = /^(@nestjs\/(common|core|platform-\w+)|class-validator|class-transformer|rxjs|reflect-metadata)$/;

const { libs, packed } = published;
const version = libs[0]?.manifest.version ?? '';
const read = (folder: string, file: string): string => readFileSync(join(folder, file), 'utf8');

it('each published lib is packed', () => {
  expect(libs.length).toBeGreaterThan(5);
  expect(packed.map(({ name }) => name).sort()).toEqual(libs.map(({ name }) => name).sort());
});

it('publint and "are the types wrong?" find no problem in any tarball', async () => {
  const judge = join(await ownTool('arethetypeswrong'), '@arethetypeswrong/core/dist/index.js');
  const program = [join(__dirname, 'tarball-problems.ts'), judge, ...packed.map(tarballOf)];
  const found = JSON.parse(execFileSync(process.execPath, program, { encoding: 'utf8' })) as unknown[];
  expect(packed.map(({ name }, index) => [name, found[index]])).toEqual(packed.map(({ name }) => [name, []]));
});

describe.each(packed)('The tarball of $name', ({ name, files, manifest }) => {
  const paths = files.map(({ path }) => path);
  const dependencies = Object.entries(manifest.dependencies ?? {});

  it('has a licence, a README, modules and types', () => {
    expect(paths).toEqual(expect.arrayContaining(NEEDED));
  });

  it('has no tests and no files of the build', () => {
    expect(paths.filter((path) => NOT_SHIPPED.test(path))).toEqual([]);
  });

  it('has the licence of the workspace', () => {
    const { folder = '' } = libs.find((lib) => lib.name === name) ?? {};
    expect(read(folder, 'LICENSE')).toBe(read(workspaceRoot, 'LICENSE'));
  });

  it('is public, and has the version of the others', () => {
    expect(manifest.private ?? false).toBe(false);
    expect(manifest.version).toBe(version);
  });

  it('requires our other packages in its own version', () => {
    const ours = dependencies.filter(([each]) => each.startsWith('@items/'));
    expect(ours).toEqual(ours.map(([each]) => [each, `^${version}`]));
  });

  it('requires Nest and similar packages only as peers', () => {
    expect(dependencies.filter(([each]) => PEERS_ONLY.test(each))).toEqual([]);
  });
});

describe.each(libs)('$name, installed alone', (lib) => {
  const { name } = lib;
  const consumer = createConsumer();
  const example = readmeExample(lib.folder);
  const itIfOffline = example?.isOffline === true ? it : undefined;

  beforeAll(() => consumer.install(name, ...importedBy(lib)));

  it('loads as an ES module', async () => {
    await consumer.runText(
      'module.mjs',
      `const all = await import('${name}'); if (Object.keys(all).length === 0) throw all;\n`,
    );
  });

  it('loads as CommonJS', async () => {
    await consumer.runText(
      'common.cjs',
      `if (Object.keys(require('${name}')).length === 0) throw new Error('empty');\n`,
    );
  });

  itIfOffline?.('prints what the example of its README says', async () => {
    const printed = await consumer.runText('example.mjs', example?.code ?? '');
    expect(printed.trimEnd()).toBe(example?.prints);
  });
});

/** Returns the packages that the README's example imports, except the lib itself, in the versions of the lib. */
function importedBy({ name, folder, manifest }: Package): string[] {
  const versions = { ...manifest.devDependencies, ...manifest.peerDependencies, ...manifest.dependencies };
  return (readmeExample(folder)?.imports ?? [])
    .filter((each) => each !== name && !builtinModules.includes(each))
    .map((each) => (each.startsWith('@items/') ? each : `${each}@${versions[each] ?? 'latest'}`));
}
