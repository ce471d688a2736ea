import {
  failStart as failWith,
  startError as errorOf,
  type StartOptions,
} from '../../runtime/supervision/fail-start.js';
import { ConfigError } from '../../runtime/settings/config-error.js';

const OPTIONS: StartOptions = { host: 'HOST', port: 'PORT', isPlain };
/**
 * Names of errors with a clear message. Importing the classes would load modules that a wrong setting does not need.
 */
const PLAIN = [
  'CollectionNameError',
  'DatabaseTooOldError',
  'MissingColumnError',
  'MissingMigrationError',
  'OldNodeError',
  'StartRefusedError',
  'ThrottleOptionsError',
];

export function failStart(error: unknown): never {
  return failWith(error, OPTIONS);
}

export function startError(error: unknown): unknown {
  return errorOf(error, OPTIONS);
}

function isPlain(error: Error): boolean {
  const isUnavailable = 'code' in error && error.code === 'database_unavailable';
  return error instanceof ConfigError || PLAIN.includes(error.name) || isUnavailable;
}
