import type { Scope } from '@items/dtos/contract';
import { ValidationError } from '@items/conventions';

/** A key with allowed origins must be read-only: everyone who opens such a page can read it. SPEC §5 */
export function requireNarrow(allowedOrigins: readonly string[] | null, scopes: readonly Scope[]): void {
  if (allowedOrigins === null || scopes.every((scope) => scope.endsWith(':read'))) return;
  const message =
    'A key with "allowed_origins" may only have scopes that end in ":read": everyone who sees the page can see the key.';
  throw new ValidationError([{ field: 'scopes', code: 'too_broad', message }]);
}
