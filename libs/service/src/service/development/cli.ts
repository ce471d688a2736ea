#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { DevelopmentRunner } from './development-runner.js';

/*
 * `items-dev`: compiles `src` into `dist`, runs `dist/main.js`, and restarts it after each change of `src` or `.env`.
 */
const folder = process.cwd();
const sources = join(folder, 'src');
const compiler = compilerOf(folder);
if (!existsSync(sources)) fail('items-dev needs the folder src with main.ts: run it in the folder of the service.');
else if (compiler === undefined) fail('items-dev needs TypeScript: npm install --save-dev typescript');
else
  await new DevelopmentRunner({
    folder,
    sources: [sources],
    // Without the types of packages, the compiler writes the same JavaScript in a tenth of the time.
    compile: [compiler, '--noCheck', '--noResolve', '--noEmitOnError'],
    check: [compiler, '--noEmit'],
    main: 'dist/main.js',
  }).run();

function compilerOf(ofFolder: string): string | undefined {
  try {
    const manifest = createRequire(join(ofFolder, 'package.json')).resolve('typescript/package.json');
    return join(dirname(manifest), 'bin/tsc');
  } catch {
    return undefined;
  }
}

function fail(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}
