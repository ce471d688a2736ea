import { ServiceUnavailableError } from '@items/conventions';
import type { KoaContextWithOIDC } from 'oidc-provider';

/**
 * Says that it is not the client's fault, and will pass: oidc-provider knows only mistakes of its own.
 * @returns false for those.
 * @see RFC 6749 §4.1.2.1
 */
export function answerUnavailable(ctx: KoaContextWithOIDC, error: Error): boolean {
  if (!(error instanceof ServiceUnavailableError)) return false;
  // A redirect back to the client reports the error already.
  if (ctx.status >= 300 && ctx.status < 400) return true;
  ctx.status = error.status;
  for (const [name, value] of Object.entries(error.headers)) ctx.set(name, [value].flat());
  if (typeof ctx.body === 'object') ctx.body = { error: 'temporarily_unavailable', error_description: error.message };
  return true;
}
