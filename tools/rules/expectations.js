import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Reads the expected errors of the fixtures in a folder: an invalid line ends in `// ✘ rule, rule`.
 * @param {string} folder
 * @returns {Record<string, [number, string][]>} by file, relative to the folder.
 */
export function expectations(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(files.map((file) => [file.slice(folder.length + 1), illegalLines(file)]));
}

/** @param {string} file @returns {[number, string][]} */
function illegalLines(file) {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      const rules = /\/\/ ✘ (.+)$/.exec(line)?.[1]?.split(', ') ?? [];
      return rules.map((rule) => /** @type {[number, string]} */ ([index + 1, rule]));
    });
}
