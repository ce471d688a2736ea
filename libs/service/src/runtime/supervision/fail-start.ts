import { isNativeError } from 'node:util/types';

import { ConfigError } from '../settings/config-error.js';
import { toSentence } from '../../data/definition/start-refused.js';

const notOfThisMachine = (_: string, host: string): ConfigError =>
  new ConfigError(host, 'is not an address of this machine', '127.0.0.1');

const LISTENING: Readonly<Record<string, (port: string, host: string) => ConfigError>> = {
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

/** Makes {@link startError} name the right variable. */
export async function listening<T>(variable: string, start: Promise<T>): Promise<T> {
  try {
    return await start;
  } catch (error) {
    throw new OtherPortError(variable, error);
  }
}

export interface StartOptions {
  readonly host: string;
  readonly port: string;
  readonly isPlain: (error: Error) => boolean;
}

/**
 * If the cause is plain, its message is one sentence, and it has no stack: Node prints the stack of an uncaught error.
 */
export function startError(error: unknown, options: StartOptions): unknown {
  if (error instanceof OtherPortError) return startError(error.cause, { ...options, port: error.variable });
  if (!isNativeError(error)) return error;
  const plain = options.isPlain(error) ? error : listeningError(error, options);
  if (plain === undefined) return error;
  toSentence(plain);
  return plain;
}

function listeningError(error: Error, { host, port }: StartOptions): ConfigError | undefined {
  const isListening =
    'syscall' in error && ['listen', 'getaddrinfo'].includes(String(error.syscall)) && 'code' in error;
  const plain = isListening ? LISTENING[String(error.code)]?.(port, host) : undefined;
  // Callers that try another port read the code. It is not enumerable, so that Node does not print it.
  return plain && Object.defineProperty(plain, 'code', { value: (error as NodeJS.ErrnoException).code });
}

export function failStart(error: unknown, options: StartOptions): never {
  process.stderr.write(`${textOf(startError(error, options), options)}\n`);
  process.exit(1);
}

function textOf(error: unknown, { isPlain }: StartOptions): string {
  if (!isNativeError(error)) return String(error);
  return isPlain(error) ? error.message : (error.stack ?? error.message);
}
