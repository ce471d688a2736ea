import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ReadmeExample {
  readonly code: string;
  readonly prints: string;
  /** Names of the packages that it imports. */
  readonly imports: readonly string[];
  readonly isOffline: boolean;
}

/** Extracts the first example of a README: a module, and its output, which is in comments at its end. */
export function readmeExample(folder: string): ReadmeExample | undefined {
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  const block = /^```js\n(.*?)^```$/ms.exec(readme)?.[1];
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
    // Examples that need a service run in the tests of their lib instead.
    isOffline: !/process\.(env|argv)/.test(code),
  };
}
