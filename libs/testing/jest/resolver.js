import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/**
 * Jest's resolver. An import of `./x.js` loads the source `./x.ts`, if there is one. Jest caches these results, but it
 * resolves a `moduleNameMapper` twice for each import of each spec.
 * @param {string} name of the import.
 * @param {import('jest-resolve').ResolverOptions} options
 */
export function sync(name, options) {
  if (/^\.{1,2}\/.*\.js$/.test(name) && !options.basedir.includes('/node_modules/')) {
    const source = resolve(options.basedir, `${name.slice(0, -3)}.ts`);
    if (existsSync(source)) return source;
  }
  return options.defaultResolver(name, options);
}
