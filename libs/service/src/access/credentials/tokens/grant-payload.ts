/** The payload of an authorization: oidc-provider's `Grant`, whose scopes it calls those of OpenID. */
export interface GrantPayload {
  readonly kind: 'Grant';
  readonly accountId: string;
  readonly clientId: string;
  /** Seconds since the epoch. */
  readonly iat: number;
  readonly openid: { readonly scope: string };
  /** Requested scopes that were not granted, so that the user is not asked again. */
  readonly rejected?: { readonly openid: { readonly scope: string } };
}

/** @param granted scopes separated by blanks. */
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
