import type { ServerResponse } from 'node:http';

const CORS_HEADERS = ['Access-Control-Allow-Origin', 'Access-Control-Expose-Headers', 'Vary'];

/**
 * Restores the CORS headers of the service: oidc-provider would let every page read its responses.
 * @see SPEC §1.2
 */
export async function keepOwnCors(
  { res }: { readonly res: ServerResponse },
  next: () => Promise<unknown>,
): Promise<void> {
  const own = CORS_HEADERS.map((name) => [name, res.getHeader(name)] as const);
  await next();
  for (const [name, value] of own) {
    if (value === undefined) res.removeHeader(name);
    else res.setHeader(name, value);
  }
}
