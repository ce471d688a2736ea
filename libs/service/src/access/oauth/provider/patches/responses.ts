import type { ServerResponse } from 'node:http';
import { ServiceUnavailableError } from '@items/conventions';
import type { KoaContextWithOIDC } from 'oidc-provider';

type Next = () => Promise<unknown>;
type WithBody = Pick<KoaContextWithOIDC, 'body'>;

const CORS_HEADERS = ['Access-Control-Allow-Origin', 'Access-Control-Expose-Headers', 'Vary'];

/**
 * Restores the CORS headers of the service, because oidc-provider would let every page read its responses.
 * @see SPEC §1.2
 */
export async function restoreOwnCors({ res }: { readonly res: ServerResponse }, next: Next): Promise<void> {
  const own = CORS_HEADERS.map((name) => [name, res.getHeader(name)] as const);
  await next();
  for (const [name, value] of own) {
    if (value === undefined) res.removeHeader(name);
    else res.setHeader(name, value);
  }
}

/**
 * Adds an empty `scope`, which oidc-provider omits. Otherwise, clients would assume that all requested scopes were
 * granted.
 * @see RFC 6749 §5.1, SPEC §5.5
 */
export async function addGrantedScope(ctx: WithBody, next: Next): Promise<void> {
  await next();
  const { body } = ctx;
  if (isTokenAnswer(body)) body.scope ??= '';
}

function isTokenAnswer(body: unknown): body is { scope?: string } {
  return typeof body === 'object' && body !== null && 'access_token' in body;
}

/** The only offered response mode. Other modes put tokens in the URL, or need a script. */
export const RESPONSE_MODE = 'query';

const OPENID_ONLY = [
  'claims_parameter_supported',
  'claims_supported',
  'claim_types_supported',
  'id_token_signing_alg_values_supported',
  'subject_types_supported',
  'acr_values_supported',
  'userinfo_endpoint',
];

/** Removes unsupported response modes and OpenID Connect from the metadata. RFC 8414 §2 */
export async function restrictMetadata(ctx: WithBody, next: Next): Promise<void> {
  await next();
  const { body } = ctx;
  if (!isMetadata(body)) return;
  const offered = Object.entries(body).filter(([name]) => !OPENID_ONLY.includes(name));
  ctx.body = {
    ...Object.fromEntries(offered),
    response_modes_supported: [RESPONSE_MODE],
    scopes_supported: body.scopes_supported.filter((scope) => scope !== 'openid' && scope !== 'offline_access'),
  };
}

function isMetadata(body: unknown): body is { readonly scopes_supported: readonly string[] } {
  return typeof body === 'object' && body !== null && 'issuer' in body && 'scopes_supported' in body;
}

/** Characters of a redirect URI that a header can contain. */
const SAFE = /^[\x21-\x7e]+$/;

/**
 * Preserves the query of a redirect URI byte for byte. oidc-provider would parse and serialize the query, and `?a`
 * would become `?a=`.
 * @see RFC 6749 §3.1.2
 */
export async function retainQuery(ctx: KoaContextWithOIDC, next: Next): Promise<void> {
  await next();
  const location = ctx.response.get('location');
  const redirectUri = (ctx.oidc as typeof ctx.oidc | undefined)?.params?.['redirect_uri'] ?? ctx.query['redirect_uri'];
  if (location === '' || typeof redirectUri !== 'string' || !redirectUri.includes('?') || !SAFE.test(redirectUri))
    return;
  const added = addedParameters(location, redirectUri);
  if (added !== undefined) ctx.set('location', redirectUri + (/[?&]$/.test(redirectUri) ? '' : '&') + added.toString());
}

/**
 * @returns The parameters that a redirect adds to the query of the redirect URI. Undefined for a redirect to another
 * address.
 */
function addedParameters(location: string, redirectUri: string): URLSearchParams | undefined {
  if (!URL.canParse(location) || !URL.canParse(redirectUri)) return undefined;
  const [to, own] = [new URL(location), new URL(redirectUri)];
  if (to.origin !== own.origin || to.pathname !== own.pathname) return undefined;
  const isOwn = (name: string): boolean =>
    JSON.stringify(to.searchParams.getAll(name)) === JSON.stringify(own.searchParams.getAll(name));
  return new URLSearchParams([...to.searchParams].filter(([name]) => !isOwn(name)));
}

/**
 * Responds 503 to a `ServiceUnavailableError`, for example while the database is down. oidc-provider would respond 500.
 * @returns False for other errors.
 * @see RFC 6749 §4.1.2.1
 */
export function respondUnavailable(ctx: KoaContextWithOIDC, error: Error): boolean {
  if (!(error instanceof ServiceUnavailableError)) return false;
  // Leaves a redirect to the client unchanged, because the redirect contains the error.
  if (ctx.status >= 300 && ctx.status < 400) return true;
  ctx.status = error.status;
  for (const [name, value] of Object.entries(error.headers)) ctx.set(name, [value].flat());
  if (typeof ctx.body === 'object') ctx.body = { error: 'temporarily_unavailable', error_description: error.message };
  return true;
}
