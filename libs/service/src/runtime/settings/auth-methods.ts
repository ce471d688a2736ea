import { ConfigError } from './config-error.js';
import { list } from './values.js';
import type { Variable } from './variable.js';

export const AUTH_METHODS = ['api-key', 'basic', 'bearer'] as const;
export type AuthMethod = (typeof AUTH_METHODS)[number];

export function authMethods(variable: Variable): readonly AuthMethod[] {
  if (variable.value === undefined) return AUTH_METHODS;
  const named = list(variable);
  const isKnown = named.every((name) => (AUTH_METHODS as readonly string[]).includes(name));
  if (named.length === 0 || !isKnown) {
    const problem = `must list some of ${AUTH_METHODS.join(', ')}, separated by commas`;
    throw new ConfigError(variable.name, problem, 'api-key,bearer');
  }
  return AUTH_METHODS.filter((method) => named.includes(method));
}
