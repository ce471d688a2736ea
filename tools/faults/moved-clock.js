import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { MissingProgramError } from '../cluster/binaries.ts';

const libraries = '/usr/lib';

/**
 * A clock that can be set while a process runs, with libfaketime. Monotonic time continues, as when an operator sets
 * the clock.
 * @param {import('../cluster/site.ts').Site} site
 * @throws {MissingProgramError}
 */
export function movedClock(site) {
  const file = site.file('clock', '+0s');
  return {
    env: {
      LD_PRELOAD: libfaketime(),
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    /** @param {string} offset such as `-2h`. Takes effect within a second. */
    set: (offset) => writeFileSync(file, offset),
  };
}

function libfaketime() {
  const found = readdirSync(libraries)
    .map((folder) => join(libraries, folder, 'faketime'))
    .flatMap((folder) => filesOf(folder).map((name) => join(folder, name)))
    .find((path) => path.endsWith('libfaketimeMT.so.1'));
  if (found !== undefined) return found;
  throw new MissingProgramError('libfaketime is not installed; on Debian and Ubuntu: apt-get install faketime');
}

/** @param {string} folder */
function filesOf(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
