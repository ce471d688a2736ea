import { readFileSync } from 'node:fs';

import { ConfigError } from './config-error.js';

/** An environment variable. The value is trimmed; undefined if unset or empty. */
export interface Variable {
  readonly name: string;
  readonly value: string | undefined;
}

/**
 * Reads a variable, or the file that `<name>_FILE` names, the usual form of secrets in containers.
 * @throws {ConfigError} both are set, or the file cannot be read.
 */
export function readVariable(env: NodeJS.ProcessEnv, name: string): Variable {
  const value = env[name]?.trim() || undefined;
  const fileName = `${name}_FILE`;
  const file = env[fileName]?.trim() || undefined;
  if (file === undefined) return { name, value };
  const example = `/run/secrets/${name.toLowerCase()}`;
  if (value !== undefined) throw new ConfigError(fileName, `and ${name} exclude each other`, example);
  try {
    return { name, value: readFileSync(file, 'utf8').trim() || undefined };
  } catch {
    throw new ConfigError(fileName, 'must be the path of a readable file', example);
  }
}
