import { ServiceUnavailableError } from '@items/conventions';
import type { KoaContextWithOIDC } from 'oidc-provider';

/**
 * oidc-provider itself reports only bugs of the server.
 * @returns False for other errors.
 * @see RFC 6749 §4.1.2.1
 */
export function answerUnavailable(ctx: KoaContextWithOIDC, error: Error): boolean {
  if (!(error instanceof ServiceUnavailableError)) return false;
  // A redirect to the client already contains the error.
  if (ctx.status >= 300 && ctx.status < 400) return true;
  ctx.status = error.status;
  for (const [name, value] of Object.entries(error.headers)) ctx.set(name, [value].flat());
  if (typeof ctx.body === 'object') ctx.body = { error: 'temporarily_unavailable', error_description: error.message };
  return true;
}
