import { ConfigError } from '../config/config.js';

/** Sentences for what commonly keeps a service from listening. */
const SENTENCES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'PORT is taken by another process: stop it, or choose another, for example PORT=3001.',
  EACCES: 'PORT may not be used by this user: choose one above 1023, for example PORT=3000.',
  EADDRNOTAVAIL: 'HOST is not an address of this machine, for example HOST=127.0.0.1.',
  ENOTFOUND: 'HOST is not an address of this machine, for example HOST=127.0.0.1.',
};

/** Ends a process that could not start, with one sentence where the cause is plain. */
export function failStart(error: unknown): never {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}

function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  if (!(error instanceof Error)) return String(error);
  const isListening =
    'syscall' in error && ['listen', 'getaddrinfo'].includes(String(error.syscall)) && 'code' in error;
  return (isListening ? SENTENCES[String(error.code)] : undefined) ?? error.stack ?? error.message;
}
