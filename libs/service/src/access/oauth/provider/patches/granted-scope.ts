import type { KoaContextWithOIDC } from 'oidc-provider';

/**
 * oidc-provider omits an empty `scope`, and clients would then assume all requested scopes.
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
