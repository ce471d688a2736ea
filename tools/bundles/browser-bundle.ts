import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { build, type OutputFile } from 'esbuild';

/** What a lib weighs in a browser. */
export interface BrowserBundle {
  /** A script that assigns what it exports to the global `bundle`. */
  readonly script: string;
  /** Bytes of it as a minified module, as apps bundle it. */
  readonly bytes: number;
  /** Bytes of the same after gzip. */
  readonly gzipBytes: number;
}

/**
 * Bundles a module, written as its text, from the sources of our libs, for a browser.
 * @param external modules that are left out.
 * @throws what esbuild says where something cannot be had there, such as a module of Node.
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
