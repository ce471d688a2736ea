import type { KoaContextWithOIDC } from 'oidc-provider';

/** Characters of a redirect URI that a header can contain. */
const SAFE = /^[\x21-\x7e]+$/;

/**
 * Preserves the query of a redirect URI byte for byte. oidc-provider parses and serializes it, so that `?a` becomes
 * `?a=`.
 * @see RFC 6749 §3.1.2
 */
export async function retainQuery(ctx: KoaContextWithOIDC, next: () => Promise<unknown>): Promise<void> {
  await next();
  const location = ctx.response.get('location');
  const redirectUri = (ctx.oidc as typeof ctx.oidc | undefined)?.params?.['redirect_uri'] ?? ctx.query['redirect_uri'];
  if (location === '' || typeof redirectUri !== 'string' || !redirectUri.includes('?') || !SAFE.test(redirectUri))
    return;
  const added = addedParameters(location, redirectUri);
  if (added !== undefined) ctx.set('location', redirectUri + (/[?&]$/.test(redirectUri) ? '' : '&') + added.toString());
}

/** @returns The parameters that a redirect adds to the query of the redirect URI. Undefined if it leads elsewhere. */
function addedParameters(location: string, redirectUri: string): URLSearchParams | undefined {
  if (!URL.canParse(location) || !URL.canParse(redirectUri)) return undefined;
  const [to, own] = [new URL(location), new URL(redirectUri)];
  if (to.origin !== own.origin || to.pathname !== own.pathname) return undefined;
  const isOwn = (name: string): boolean =>
    JSON.stringify(to.searchParams.getAll(name)) === JSON.stringify(own.searchParams.getAll(name));
  return new URLSearchParams([...to.searchParams].filter(([name]) => !isOwn(name)));
}
