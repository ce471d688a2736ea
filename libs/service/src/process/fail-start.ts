import { failStart as failWith } from '../supervision/fail-start.js';
import { ConfigError } from '../settings/config-error.js';

/** Ends a process that could not start, with one sentence where the cause is plain. */
export function failStart(error: unknown): never {
  return failWith(error, { host: 'HOST', port: 'PORT', isPlain });
}

/** The others are known by what they are called: their classes would load what a wrong setting can do without. */
function isPlain(error: Error): boolean {
  const isUnavailable = 'code' in error && error.code === 'database_unavailable';
  return error instanceof ConfigError || error.name === 'MissingColumnError' || isUnavailable;
}
