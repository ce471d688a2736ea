import { isNativeError } from 'node:util/types';

import { ConfigError } from '../settings/config-error.js';
import { toSentence } from '../../data/definition/start-refused.js';

/** Names of errors with a clear message. Importing the classes would load modules that a failed start may not need. */
const PLAIN = [
  'CollectionNameError',
  'DatabaseTooOldError',
  'MissingColumnError',
  'MissingMigrationError',
  'OldNodeError',
  'StartRefusedError',
  'ThrottleOptionsError',
];

const notOfThisMachine = (): ConfigError => new ConfigError('HOST', 'is not an address of this machine', '127.0.0.1');

const LISTENING: Readonly<Record<string, (port: string) => ConfigError>> = {
  EADDRINUSE: (port) => new ConfigError(port, 'is taken by another process: stop it, or choose another', '3001'),
  EACCES: (port) => new ConfigError(port, 'may not be used by this user: choose one above 1023', '3000'),
  EADDRNOTAVAIL: notOfThisMachine,
  ENOTFOUND: notOfThisMachine,
};

/** An error while listening on a port other than the service's. */
class OtherPortError extends Error {
  constructor(
    readonly variable: string,
    override readonly cause: unknown,
  ) {
    super(`${variable} cannot be listened on`, { cause });
  }
}

/** Adds `variable` to errors of `start`: {@link startError} then names this variable instead of `PORT`. */
export async function listening<T>(variable: string, start: Promise<T>): Promise<T> {
  try {
    return await start;
  } catch (error) {
    throw new OtherPortError(variable, error);
  }
}

/** Reduces an expected error to one sentence without a stack, because Node prints the stack of an uncaught error. */
export function startError(error: unknown, port = 'PORT'): unknown {
  if (error instanceof OtherPortError) return startError(error.cause, error.variable);
  if (!isNativeError(error)) return error;
  const plain = isPlain(error) ? error : listeningError(error, port);
  if (plain === undefined) return error;
  toSentence(plain);
  return plain;
}

function isPlain(error: Error): boolean {
  const isUnavailable = 'code' in error && error.code === 'database_unavailable';
  return error instanceof ConfigError || PLAIN.includes(error.name) || isUnavailable;
}

function listeningError(error: Error, port: string): ConfigError | undefined {
  const isListening =
    'syscall' in error && ['listen', 'getaddrinfo'].includes(String(error.syscall)) && 'code' in error;
  const plain = isListening ? LISTENING[String(error.code)]?.(port) : undefined;
  // Callers that try another port read `code`. It is not enumerable, so that Node does not print it.
  return plain && Object.defineProperty(plain, 'code', { value: (error as NodeJS.ErrnoException).code });
}

export function failStart(error: unknown): never {
  process.stderr.write(`${textOf(startError(error))}\n`);
  process.exit(1);
}

function textOf(error: unknown): string {
  if (!isNativeError(error)) return String(error);
  return isPlain(error) ? error.message : (error.stack ?? error.message);
}
