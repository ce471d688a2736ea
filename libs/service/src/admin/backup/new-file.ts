import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import { OperationError } from '../session/operation-error.js';

/** Only for its owner: a backup holds every secret of the service, an export the data of its users. */
const MODE = 0o600;

/**
 * Makes a file whole or not at all: it gets its name when it is complete and on the disk. What a killed process has left
 * under the temporary name, `<file>.partial`, is replaced.
 * @param what it is, in a word: `backup`.
 * @param write is given the temporary name, of an empty file.
 * @throws {OperationError} there is such a file already.
 */
export async function makeNewFile<T>(file: string, what: string, write: (partial: string) => Promise<T>): Promise<T> {
  const refuse = (): void => {
    if (existsSync(file)) throw new OperationError(`There is a file ${file} already: give the ${what} another name.`);
  };
  refuse();
  const partial = `${file}.partial`;
  const remove = (): void => {
    for (const end of ['', '-journal']) rmSync(partial + end, { force: true });
  };
  remove();
  closeSync(openSync(partial, 'wx', MODE));
  try {
    const result = await write(partial);
    sync(partial);
    refuse();
    renameSync(partial, file);
    sync(dirname(resolve(file)));
    return result;
  } catch (error) {
    remove();
    throw error;
  }
}

/** Waits until a file, or the names in a folder, are on the disk. */
export function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
