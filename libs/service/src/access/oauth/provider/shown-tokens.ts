import { Artifacts } from '../../credentials/tokens/artifacts.js';
import { VOID } from '../../credentials/tokens/refresh-tokens.js';
import { Injectable } from '@nestjs/common';

import { Accounts } from '../../accounts/accounts.js';
import { Authorizations } from '../authorizations/authorizations.js';

/** 256 bits in base64url, in oidc-provider and this service. */
const FORM = /^[A-Za-z0-9_-]{43}$/;
const MODELS: ReadonlySet<string> = new Set(['AuthorizationCode', 'AccessToken', 'RefreshToken']);

export interface TokenOwner {
  readonly userId: string;
  readonly clientId: string;
  /** The session, or the authorization of the client. */
  readonly authorizationId: string;
}

/** Finds the users of codes and tokens that clients send to the OAuth endpoints. */
@Injectable()
export class ShownTokens {
  constructor(
    private readonly artifacts: Artifacts,
    private readonly authorizations: Authorizations,
    private readonly accounts: Accounts,
  ) {}

  /** @returns Undefined for an unknown, used or ended code or token: like a wrong credential, it has no holder. */
  async ownerOf(value: string): Promise<TokenOwner | undefined> {
    const artifact = FORM.test(value) ? await this.artifacts.find(value) : undefined;
    if (artifact === undefined || !MODELS.has(artifact.model)) return undefined;
    const isUsedUp = artifact.consumed_at !== null && artifact.model !== 'AccessToken';
    if (isUsedUp || artifact.consumed_at === VOID || artifact.expires_at <= Date.now()) return undefined;
    const authorization = await this.authorizations.find(artifact.authorization_id ?? '');
    if (authorization === undefined) return undefined;
    const account = await this.accounts.findEnabled(authorization.user_id, authorization.credentials_version);
    if (account === undefined) return undefined;
    return { userId: account.id, clientId: authorization.client_id, authorizationId: authorization.id };
  }
}
