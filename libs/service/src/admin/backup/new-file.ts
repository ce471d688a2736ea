import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import { OperationError } from '../session/operation-error.js';

/** Only the owner may read the file. A backup contains every secret of the service; an export contains users' data. */
const MODE = 0o600;

/**
 * Creates a file completely or not at all: writes `<file>.partial`, syncs it to disk and renames it. Replaces the
 * partial file of a killed process.
 * @param what Word for messages, such as `backup`.
 * @throws {OperationError} the file already exists.
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

export function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
