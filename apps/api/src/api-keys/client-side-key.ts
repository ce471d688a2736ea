import type { Scope } from '@items/contracts';
import { ValidationError } from '@items/errors';

/**
 * Whoever sees a page has the key in its code: such a key may only read. SPEC §5
 * @throws {ValidationError} 422
 */
export function requireNarrow(allowedOrigins: readonly string[] | null, scopes: readonly Scope[]): void {
  if (allowedOrigins === null || scopes.every((scope) => scope.endsWith(':read'))) return;
  const message = '"scopes" of a key with "allowed_origins" must only be read: everyone who sees the page has the key.';
  throw new ValidationError([{ field: 'scopes', code: 'too_broad', message }]);
}
