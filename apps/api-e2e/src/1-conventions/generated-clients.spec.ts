import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { freshColor } from '@items/testing';

import { describeOnce, service } from '../harness/service.js';
import { createUser, PASSWORD } from '../harness/users.js';

const root = join(__dirname, '../../../..');
const programs = join(root, 'apps/api-e2e/generated-clients');

/** A client generator, and compiler options for a program that uses its client. */
interface Generator {
  /** Also the program's name in `apps/api-e2e/generated-clients`. */
  readonly name: string;
  /** Returns Node's arguments. Node runs in the workspace's root. @param folder for the generated files. */
  readonly generate: (document: string, folder: string) => readonly string[];
  readonly compilerOptions: object;
}

/** Installs the generators, then runs one. */
const ownTool = ['tools/checks/own-tools/run.ts', 'openapi-clients'];

const GENERATORS: readonly Generator[] = [
  {
    name: 'openapi-fetch',
    generate: (document, folder) => [
      ...ownTool,
      'openapi-typescript/bin/cli.js',
      document,
      '-o',
      join(folder, 'schema.d.ts'),
    ],
    compilerOptions: { exactOptionalPropertyTypes: true },
  },
  {
    name: 'hey-api',
    generate: (document, folder) => [
      ...ownTool,
      '@hey-api/openapi-ts/bin/run.js',
      '-i',
      document,
      '-o',
      join(folder, 'client'),
      '-c',
      '@hey-api/client-fetch',
    ],
    // The code of this generator does not compile with exactOptionalPropertyTypes.
    compilerOptions: {},
  },
];

const COMPILER_OPTIONS = {
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'nodenext',
  strict: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  noEmitOnError: true,
  types: ['node'],
};

/** Runs Node in the workspace's root. @returns its output. @throws {Error} with its output. */
async function runNode(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  try {
    return (await promisify(execFile)(process.execPath, [...args], { cwd: root, env: { ...process.env, ...env } }))
      .stdout;
  } catch (error) {
    const { message, stdout } = error as Error & { stdout: string };
    throw new Error(`${message}\n${stdout}`, { cause: error });
  }
}

/** Generated code finds the modules of the workspace here; Git ignores the folder. */
function newFolder(): string {
  const parent = join(root, 'tmp');
  mkdirSync(parent, { recursive: true });
  return mkdtempSync(join(parent, 'generated-client-'));
}

/** Generates a client, compiles its program, and runs it. @returns the output of the program. */
async function outputOf({ name, generate, compilerOptions }: Generator, folder: string): Promise<unknown> {
  await runNode(generate(service.openApiFile ?? '', folder));
  copyFileSync(join(programs, `${name}.ts`), join(folder, 'program.ts'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const tsconfig = { compilerOptions: { ...COMPILER_OPTIONS, ...compilerOptions }, include: ['**/*.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  await runNode(['node_modules/typescript-7/bin/tsc', '-p', folder]);
  const { username } = await createUser({ role: 'member' });
  const stdout = await runNode([join(folder, 'program.js')], {
    BASE_URL: service.baseUrl,
    API_KEY: service.apiKey,
    USERNAME: username,
    PASSWORD,
    RED: freshColor(),
    BLUE: freshColor(),
  });
  return { ...(JSON.parse(stdout) as object), username };
}

const describeDocumented = service.openApiFile === undefined ? describe.skip : describeOnce;

describeDocumented('A client generated from /openapi.json compiles strictly and runs against the service', () => {
  it.each(GENERATORS)('$name: items, lists, walks, If-Match, errors, login and refresh', async (generator) => {
    const folder = newFolder();
    try {
      const { username, ...seen } = (await outputOf(generator, folder)) as { readonly username: string };
      expect(seen).toEqual({
        page: ['Mug', 'Cup'],
        total: 3,
        walked: ['Mug', 'Cup', 'Bowl'],
        price: 2.5,
        stale: 'precondition_failed',
        removed: 204,
        gone: 'item_not_found',
        nameless: ['name'],
        me: username,
        role: 'viewer',
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
