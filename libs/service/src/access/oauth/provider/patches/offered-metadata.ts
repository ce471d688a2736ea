import type { KoaContextWithOIDC } from 'oidc-provider';

/** oidc-provider's other modes are for tokens in the URL, or need a script. */
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
export async function tellOffered(ctx: Pick<KoaContextWithOIDC, 'body'>, next: () => Promise<unknown>): Promise<void> {
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
