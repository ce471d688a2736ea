import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { build } from 'esbuild';

/** What a lib weighs in a browser. */
export interface BrowserBundle {
  /** A script that assigns what it exports to the global `bundle`. */
  readonly script: string;
  /** Bytes of the minified script. */
  readonly bytes: number;
  /** Bytes of the same after gzip. */
  readonly gzipBytes: number;
}

/**
 * Bundles a module, written as its text, from the sources of our libs, for a browser.
 * @throws what esbuild says where something cannot be had there, such as a module of Node.
 */
export async function bundleForBrowser(contents: string): Promise<BrowserBundle> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('../..', import.meta.url)) },
    bundle: true,
    minify: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    globalName: 'bundle',
    target: 'es2022',
    conditions: ['@items/source'],
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
    logLevel: 'silent',
  });
  const [{ text: script, contents: bytes }] = outputFiles as [(typeof outputFiles)[0]];
  return { script, bytes: bytes.length, gzipBytes: gzipSync(bytes).length };
}
