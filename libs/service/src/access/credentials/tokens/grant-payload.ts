/** oidc-provider's `Grant`, which stores the scopes under `openid`. */
export interface GrantPayload {
  readonly kind: 'Grant';
  readonly accountId: string;
  readonly clientId: string;
  readonly iat: number;
  readonly openid: { readonly scope: string };
  /** Requested but not granted: oidc-provider does not request them again. */
  readonly rejected?: { readonly openid: { readonly scope: string } };
}

/** @param granted Scopes separated by spaces. */
export function grantPayload(accountId: string, clientId: string, granted: string, rejected = ''): string {
  const payload: GrantPayload = {
    kind: 'Grant',
    accountId,
    clientId,
    iat: Math.floor(Date.now() / 1000),
    openid: { scope: granted },
    ...(rejected !== '' && { rejected: { openid: { scope: rejected } } }),
  };
  return JSON.stringify(payload);
}
