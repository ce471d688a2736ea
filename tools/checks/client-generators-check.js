import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ownTool } from '../workspace/own-tool.ts';
import { runNode } from '../workspace/run.ts';
import { servedDocument } from '../versions/served-document.ts';
import { failedOnce, passedOnce } from './outcome.ts';

const plus = '@openapi-generator-plus/typescript-fetch-client-generator';

/**
 * Generators of clients: the script, its arguments, and the generated file to compile.
 * @type {readonly { readonly script: string; readonly args: readonly string[]; readonly compiled?: string }[]}
 */
const GENERATORS = [
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
  {
    script: 'openapi-generator-plus/bin/ogplus.js',
    args: ['-o', 'plus', '-g', plus, 'openapi.json'],
  },
];

const COMPILER_OPTIONS = [
  ...['--strict', '--noEmit', '--skipLibCheck', '--forceConsistentCasingInFileNames'],
  ...['--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler'],
];

/**
 * Generates clients from the served document, and compiles them with TypeScript.
 * @type {import('./outcome.ts').Check}
 */
export const clientGeneratorsCheck = {
  name: 'client-generators',
  title: 'Clients that are generated from the document',
  isLong: true,
  run: async () => {
    const packages = await ownTool('openapi-generators');
    // Next to the installed packages, so that generated code can import them.
    const folder = mkdtempSync(join(dirname(packages), 'generated-'));
    try {
      writeFileSync(join(folder, 'openapi.json'), await servedDocument());
      let isRight = true;
      for (const { script, args, compiled } of GENERATORS) {
        /** @param {string} path @param {readonly string[]} more */
        const run = (path, more) => runNode([join(packages, path), ...more], { cwd: folder, output: 'collect' });
        const made = await run(script, args);
        const judged =
          made.ok && compiled !== undefined ? await run('typescript/bin/tsc', [...COMPILER_OPTIONS, compiled]) : made;
        if (!judged.ok) console.error(`${script}:\n${judged.output.trim().slice(0, 2000)}`);
        isRight &&= judged.ok;
      }
      return isRight ? passedOnce : failedOnce;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
