import { FIRST_PARTY } from '../../credentials/tokens/lifetimes.js';
import type { Grant, KoaContextWithOIDC } from 'oidc-provider';
import { v7 as uuidv7 } from 'uuid';

import type { AdapterParts } from './adapter-parts.js';

/** A page of the organisation needs no approval: each login creates a grant. SPEC §5.5 */
export async function grantOf(parts: AdapterParts, { oidc }: KoaContextWithOIDC): Promise<Grant | undefined> {
  const { client, account, provider, result, session } = oidc;
  if (client?.clientId !== FIRST_PARTY) {
    const id = result?.consent?.grantId ?? session?.grantIdFor(client?.clientId ?? '');
    return id === undefined ? undefined : provider.Grant.find(id);
  }
  const user = account === undefined ? undefined : await parts.accounts.find(account.accountId);
  if (user === undefined) return undefined;
  const { scopes } = parts.permissions;
  const grant = new provider.Grant({ accountId: user.id, clientId: FIRST_PARTY });
  // It is stored together with the code.
  grant.jti = uuidv7();
  grant.addOIDCScope(scopes.filter((scope) => user.scopes.has(scope)).join(' '));
  grant.rejectOIDCScope(scopes.filter((scope) => !user.scopes.has(scope)).join(' '));
  return grant;
}
