import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { servedDocument } from '@items/tools/versions/served-document.ts';
import { ownTool } from '@items/tools/workspace/own-tool.ts';
import { runNode } from '@items/tools/workspace/run.ts';

const PLUS = '@openapi-generator-plus/typescript-fetch-client-generator';

interface Generator {
  readonly script: string;
  readonly args: readonly string[];
  /** The generated file to compile. */
  readonly compiled?: string;
}

const GENERATORS: readonly Generator[] = [
  {
    script: 'orval/dist/bin/orval.js',
    args: ['--input', 'openapi.json', '--client', 'fetch', '--output', 'orval/client.ts'],
    compiled: 'orval/client.ts',
  },
  {
    script: 'openapi-typescript-codegen/bin/index.js',
    args: ['--input', 'openapi.json', '--output', 'codegen'],
    compiled: 'codegen/index.ts',
  },
  {
    script: 'swagger-typescript-api/dist/cli.mjs',
    args: ['generate', '-p', 'openapi.json', '-o', 'swagger', '-n', 'client.ts'],
    compiled: 'swagger/client.ts',
  },
  { script: 'oazapfts/dist/cli.js', args: ['openapi.json', 'oazapfts.ts'], compiled: 'oazapfts.ts' },
  { script: 'typed-openapi/bin.js', args: ['openapi.json', '-o', 'typed.ts'], compiled: 'typed.ts' },
  { script: 'openapi-generator-plus/bin/ogplus.js', args: ['-o', 'plus', '-g', PLUS, 'openapi.json'] },
];

const COMPILER_OPTIONS = [
  ...['--strict', '--noEmit', '--skipLibCheck', '--forceConsistentCasingInFileNames'],
  ...['--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler'],
];

describe('A client generated from the served document', () => {
  let packages: string;
  let folder: string;

  beforeAll(async () => {
    packages = await ownTool('openapi-generators');
    // The folder is next to the installed packages, so that generated code can import them.
    folder = mkdtempSync(join(dirname(packages), 'generated-'));
    writeFileSync(join(folder, 'openapi.json'), await servedDocument());
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const run = async (script: string, args: readonly string[]): Promise<void> => {
    const { ok, output } = await runNode([join(packages, script), ...args], { cwd: folder, output: 'collect' });
    if (!ok) throw new Error(`${script}:\n${output.trim().slice(0, 2000)}`);
  };

  it.each(GENERATORS.filter(({ compiled }) => compiled !== undefined))(
    'compiles strictly: $script',
    async ({ script, args, compiled = '' }) => {
      await run(script, args);
      await run('typescript/bin/tsc', [...COMPILER_OPTIONS, compiled]);
    },
  );

  it.each(GENERATORS.filter(({ compiled }) => compiled === undefined))('is written: $script', ({ script, args }) =>
    run(script, args),
  );
});
