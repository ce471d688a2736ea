import type { KoaContextWithOIDC } from 'oidc-provider';

/**
 * Says in every answer with a token what was granted: oidc-provider leaves `scope` out where that is nothing, and
 * without it a client takes all that it asked for as granted.
 * @see RFC 6749 §5.1, SPEC §5.5
 */
export async function addGrantedScope(
  ctx: Pick<KoaContextWithOIDC, 'body'>,
  next: () => Promise<unknown>,
): Promise<void> {
  await next();
  const { body } = ctx;
  if (isTokenAnswer(body)) body.scope ??= '';
}

function isTokenAnswer(body: unknown): body is { scope?: string } {
  return typeof body === 'object' && body !== null && 'access_token' in body;
}
