import { isNativeError } from 'node:util/types';

import { ConfigError } from '../settings/config-error.js';

const notOfThisMachine = (_: string, host: string): ConfigError =>
  new ConfigError(host, 'is not an address of this machine', '127.0.0.1');

/** What commonly keeps a service from listening on a port. */
const LISTENING: Readonly<Record<string, (port: string, host: string) => ConfigError>> = {
  EADDRINUSE: (port) => new ConfigError(port, 'is taken by another process: stop it, or choose another', '3001'),
  EACCES: (port) => new ConfigError(port, 'may not be used by this user: choose one above 1023', '3000'),
  EADDRNOTAVAIL: notOfThisMachine,
  ENOTFOUND: notOfThisMachine,
};

/** What was thrown while a port other than the service's was to be listened on. */
class OtherPortError extends Error {
  constructor(
    readonly variable: string,
    override readonly cause: unknown,
  ) {
    super(`${variable} cannot be listened on`, { cause });
  }
}

/** Has {@link startError} name the right variable. @param variable that names the port on which something listens. */
export async function listening<T>(variable: string, start: Promise<T>): Promise<T> {
  try {
    return await start;
  } catch (error) {
    throw new OtherPortError(variable, error);
  }
}

/** What a service calls where it listens, and which of its errors say everything in their message. */
export interface StartOptions {
  /** The variable that names the address, such as `HOST`. */
  readonly host: string;
  /** The variable that names the port, such as `PORT`. */
  readonly port: string;
  readonly isPlain: (error: Error) => boolean;
}

/**
 * Why a process could not start, as the error to throw or to print. Where the cause is plain, its message is one sentence, and it
 * has no stack: Node prints the stack of an error that is not caught.
 */
export function startError(error: unknown, options: StartOptions): unknown {
  if (error instanceof OtherPortError) return startError(error.cause, { ...options, port: error.variable });
  if (!isNativeError(error)) return error;
  const plain = options.isPlain(error) ? error : listeningError(error, options);
  if (plain === undefined) return error;
  plain.stack = `${plain.name}: ${plain.message}`;
  return plain;
}

function listeningError(error: Error, { host, port }: StartOptions): ConfigError | undefined {
  const isListening =
    'syscall' in error && ['listen', 'getaddrinfo'].includes(String(error.syscall)) && 'code' in error;
  const plain = isListening ? LISTENING[String(error.code)]?.(port, host) : undefined;
  // For callers that try another port; Node prints it only where it can be enumerated.
  return plain && Object.defineProperty(plain, 'code', { value: (error as NodeJS.ErrnoException).code });
}

/** Ends a process that could not start, with one sentence on standard error where the cause is plain, and status 1. */
export function failStart(error: unknown, options: StartOptions): never {
  process.stderr.write(`${textOf(startError(error, options), options)}\n`);
  process.exit(1);
}

function textOf(error: unknown, { isPlain }: StartOptions): string {
  if (!isNativeError(error)) return String(error);
  return isPlain(error) ? error.message : (error.stack ?? error.message);
}
