import { fileText } from './naming-options.js';

/** The file has one id a line; `#` begins a comment. */
export function knownIdsIn(file: string): string[] {
  return fileText(file)
    .split(/\r?\n/)
    .map((line) => line.split('#', 1).join('').trim())
    .filter((line) => line !== '');
}
