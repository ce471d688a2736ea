import { failStart as failWith } from '@items/processes';
import { ConfigError } from '@items/settings';

/** Ends a process that could not start, with one sentence where the cause is plain. */
export function failStart(error: unknown): never {
  return failWith(error, { host: 'HOST', port: 'PORT', isPlain });
}

/** The second is known by its name: its class would load what a wrong setting can do without. */
function isPlain(error: Error): boolean {
  return error instanceof ConfigError || error.name === 'MissingColumnError';
}
