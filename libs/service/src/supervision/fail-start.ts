/** What commonly keeps a service from listening on a port. */
const SENTENCES: Readonly<Record<string, (port: string, host: string) => string>> = {
  EADDRINUSE: (port) => `${port} is taken by another process: stop it, or choose another, for example ${port}=3001.`,
  EACCES: (port) => `${port} may not be used by this user: choose one above 1023, for example ${port}=3000.`,
  EADDRNOTAVAIL: (_, host) => `${host} is not an address of this machine, for example ${host}=127.0.0.1.`,
  ENOTFOUND: (_, host) => `${host} is not an address of this machine, for example ${host}=127.0.0.1.`,
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

/** Has {@link failStart} name the right variable. @param variable that names the port on which something listens. */
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

/** Ends a process that could not start, with one sentence on standard error where the cause is plain, and status 1. */
export function failStart(error: unknown, options: StartOptions): never {
  const sentence =
    error instanceof OtherPortError
      ? explain(error.cause, { ...options, port: error.variable })
      : explain(error, options);
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

function explain(error: unknown, { host, port, isPlain }: StartOptions): string {
  if (!(error instanceof Error)) return String(error);
  if (isPlain(error)) return error.message;
  const isListening =
    'syscall' in error && ['listen', 'getaddrinfo'].includes(String(error.syscall)) && 'code' in error;
  return (isListening ? SENTENCES[String(error.code)]?.(port, host) : undefined) ?? error.stack ?? error.message;
}
