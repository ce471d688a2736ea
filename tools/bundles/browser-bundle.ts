import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { build, type OutputFile } from 'esbuild';

export interface BrowserBundle {
  /** A script that assigns the exports to the global `bundle`. */
  readonly script: string;
  /** Size as a minified module. */
  readonly bytes: number;
  /** Size as a minified module after gzip. */
  readonly gzipBytes: number;
}

/**
 * Bundles the text of a module for browsers, with the sources of our libs.
 * @param external modules to exclude.
 * @throws esbuild's error if browsers lack an imported module, such as a module of Node.
 */
export async function bundleForBrowser(contents: string, external: string[] = []): Promise<BrowserBundle> {
  const [script, module] = await Promise.all([bundled(contents, 'iife', external), bundled(contents, 'esm', external)]);
  return { script: script.text, bytes: module.contents.length, gzipBytes: gzipSync(module.contents).length };
}

async function bundled(contents: string, format: 'iife' | 'esm', external: string[]): Promise<OutputFile> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('../..', import.meta.url)) },
    bundle: true,
    external,
    minify: true,
    write: false,
    platform: 'browser',
    format,
    globalName: 'bundle',
    target: 'es2022',
    conditions: ['@items/source'],
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
    logLevel: 'silent',
  });
  return (outputFiles as [OutputFile])[0];
}
