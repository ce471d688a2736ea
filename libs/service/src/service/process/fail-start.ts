import {
  failStart as failWith,
  startError as errorOf,
  type StartOptions,
} from '../../runtime/supervision/fail-start.js';
import { ConfigError } from '../../runtime/settings/config-error.js';

const OPTIONS: StartOptions = { host: 'HOST', port: 'PORT', isPlain };
/** Their names: the classes would load what a wrong setting can do without. */
const PLAIN = [
  'CollectionNameError',
  'MissingColumnError',
  'MissingMigrationError',
  'OldNodeError',
  'StartRefusedError',
  'ThrottleOptionsError',
];

/** Ends a process that could not start, with one sentence where the cause is plain. */
export function failStart(error: unknown): never {
  return failWith(error, OPTIONS);
}

/** The error to throw where a service could not start: one sentence without a stack, where the cause is plain. */
export function startError(error: unknown): unknown {
  return errorOf(error, OPTIONS);
}

function isPlain(error: Error): boolean {
  const isUnavailable = 'code' in error && error.code === 'database_unavailable';
  return error instanceof ConfigError || PLAIN.includes(error.name) || isUnavailable;
}
