import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Extracts the first example of a README: a module, and its output, which is in comments at its end.
 * @param {string} folder of the package.
 * @returns {{ code: string, prints: string, imports: string[], isOffline: boolean } | undefined}
 */
export function readmeExample(folder) {
  const readme = join(folder, 'README.md');
  const block = existsSync(readme) ? /^```js\n(.*?)^```$/ms.exec(readFileSync(readme, 'utf8'))?.[1] : undefined;
  if (block === undefined) return undefined;
  const lines = block.trimEnd().split('\n');
  const end = lines.findLastIndex((line) => !line.startsWith('// ')) + 1;
  const code = lines.slice(0, end).join('\n');
  return {
    code: `${code}\n`,
    prints: lines
      .slice(end)
      .map((line) => line.slice(3))
      .join('\n'),
    imports: [...code.matchAll(/ from '((?:@[\w-]+\/)?[\w-]+)/g)].map(([, name = '']) => name),
    // The tests of a lib run an example that needs a service.
    isOffline: !/process\.(env|argv)/.test(code),
  };
}
