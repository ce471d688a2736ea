import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Site } from '@items/testing';

const LIBRARIES = '/usr/lib';
const LIBRARY = 'libfaketimeMT.so.1';

const libfaketime = (existsSync(LIBRARIES) ? readdirSync(LIBRARIES) : [])
  .map((folder) => join(LIBRARIES, folder, 'faketime', LIBRARY))
  .find(existsSync);

/** Reason why this machine cannot move clocks, if any. */
export const LACKS_FAKETIME = libfaketime === undefined ? 'on Debian and Ubuntu: apt-get install faketime' : undefined;

export interface MovedClock {
  /** Environment of a process that uses the clock. */
  readonly env: Readonly<Record<string, string>>;
  /** @param offset such as `-2h`. Takes effect within a second. */
  set(offset: string): void;
}

/** A clock that can be set while a process runs. Monotonic time continues, as when an operator sets the clock. */
export function movedClock(site: Site): MovedClock {
  const file = site.file('clock', '+0s');
  return {
    env: {
      LD_PRELOAD: libfaketime ?? '',
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    set: (offset) => writeFileSync(file, offset),
  };
}
