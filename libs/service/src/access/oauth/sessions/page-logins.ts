import { formatTime } from '../../../data/definition/column-codecs.js';
import { OauthAudit } from '../../credentials/oauth/oauth-audit.js';
import { sessionsToEnd } from '../../credentials/tokens/session-room.js';
import { type CollectionOf, InjectCollection } from '../../../http/nest/collection-token.js';
import { Database, type Transaction } from '../../../data/database/database.js';
import { Injectable } from '@nestjs/common';
import { type AdapterPayload, errors } from 'oidc-provider';

import { Accounts, lockUser } from '../../accounts/accounts.js';
import { sourceOfUser } from '../../principal/request-principal.js';
import { Authorizations, RECORDED } from '../authorizations/authorizations.js';
import { sessionCollection } from '../authorizations/session.collection.js';

/** Logins through pages of the organisation become sessions, like those of `POST /sessions`. SPEC §5.5 */
@Injectable()
export class PageLogins {
  constructor(
    @InjectCollection(sessionCollection) private readonly sessions: CollectionOf<typeof sessionCollection>,
    private readonly accounts: Accounts,
    private readonly authorizations: Authorizations,
    private readonly database: Database,
    private readonly audit: OauthAudit,
  ) {}

  /** Creates the authorization of a new code. The session starts when the code is redeemed. */
  async begin(
    tx: Transaction,
    { grantId = '', accountId = '', scope = '' }: AdapterPayload,
    expiresAt: number,
  ): Promise<void> {
    const account = await this.accounts.find(accountId);
    if (account === undefined) throw new errors.AccessDenied('the user is gone');
    await this.authorizations.addLogin(tx, grantId, account, scope, expiresAt);
  }

  /** Creates the session when the code is redeemed. Ends older sessions of the user beyond `MAX_SESSIONS`. */
  async complete(
    tx: Transaction,
    { grantId = '', accountId = '', scope = '' }: AdapterPayload,
    expiresAt: number,
  ): Promise<void> {
    if (!(await lockUser(tx, this.database.dialect, accountId))) throw new errors.InvalidGrant('the user is gone');
    tx.origin = sourceOfUser(this.audit.source(accountId), accountId, grantId);
    for (const id of await sessionsToEnd(tx, accountId)) {
      await this.authorizations.endWithin(tx, 'id', id, undefined, RECORDED);
    }
    const fields = { user_id: accountId, scope, expires_at: formatTime(expiresAt) };
    await this.sessions.insertWithId(tx, grantId, fields);
    await tx.query('UPDATE oauth_authorizations SET expires_at = $2 WHERE id = $1', [grantId, expiresAt]);
  }
}
