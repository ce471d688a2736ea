import { ConfigError } from '../config/config.js';

/** What commonly keeps a service from listening on a port. */
const SENTENCES: Readonly<Record<string, (port: string) => string>> = {
  EADDRINUSE: (port) => `${port} is taken by another process: stop it, or choose another, for example ${port}=3001.`,
  EACCES: (port) => `${port} may not be used by this user: choose one above 1023, for example ${port}=3000.`,
  EADDRNOTAVAIL: () => 'HOST is not an address of this machine, for example HOST=127.0.0.1.',
  ENOTFOUND: () => 'HOST is not an address of this machine, for example HOST=127.0.0.1.',
};

/** What was thrown while a port other than PORT was to be listened on. */
class OtherPortError extends Error {
  constructor(
    readonly variable: string,
    override readonly cause: unknown,
  ) {
    super(`${variable} cannot be listened on`, { cause });
  }
}

/** Has {@link failStart} name the right variable. @param variable that names the port on which something listens. */
export async function listening<T>(variable: string, start: Promise<T>): Promise<T> {
  try {
    return await start;
  } catch (error) {
    throw new OtherPortError(variable, error);
  }
}

/** Ends a process that could not start, with one sentence where the cause is plain. */
export function failStart(error: unknown): never {
  process.stderr.write(`${error instanceof OtherPortError ? explain(error.cause, error.variable) : explain(error)}\n`);
  process.exit(1);
}

function explain(error: unknown, port = 'PORT'): string {
  if (error instanceof ConfigError) return error.message;
  if (!(error instanceof Error)) return String(error);
  // Known by its name: its class would load what a wrong setting can do without.
  if (error.name === 'MissingColumnError') return error.message;
  const isListening =
    'syscall' in error && ['listen', 'getaddrinfo'].includes(String(error.syscall)) && 'code' in error;
  return (isListening ? SENTENCES[String(error.code)]?.(port) : undefined) ?? error.stack ?? error.message;
}
