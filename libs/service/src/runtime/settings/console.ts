import { ConfigError } from './config-error.js';
import { oneOf } from './values.js';
import type { Variable } from './variable.js';

/** Default: on, unless `BASE_URL` has a path: then other applications may share the origin. @throws {ConfigError} */
export function isConsoleOn(variable: Variable, baseUrl: string): boolean {
  const fallback = new URL(baseUrl).pathname === '/' ? 'on' : 'off';
  return oneOf(variable, { words: ['on', 'off'], fallback, example: 'off' }) === 'on';
}

export function color({ name, value }: Variable): string | undefined {
  if (value !== undefined && !/^#[0-9a-f]{6}$/i.test(value)) {
    throw new ConfigError(name, 'must be a colour of six hexadecimal digits', '#4f46e5');
  }
  return value;
}
