import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Reads the expected errors of the fixtures in a folder: an invalid line ends in `// ✘ rule, rule`. */
export function expectations(folder: string): Record<string, [number, string][]> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(files.map((file) => [file.slice(folder.length + 1), illegalLines(file)]));
}

function illegalLines(file: string): [number, string][] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      const rules = /\/\/ ✘ (.+)$/.exec(line)?.[1]?.split(', ') ?? [];
      return rules.map((rule) => [index + 1, rule] as [number, string]);
    });
}
