import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';

import type { Account } from '../../accounts/account.js';
import { collectionToken } from '../../collections/collections.module.js';
import { Database, type Transaction } from '../../database/database.js';
import { Audit, type AuditSource } from '../../logging/audit.js';
import type { RegisteredClient } from '../clients/client-registry.js';
import { REFRESH_TOKEN_SECONDS } from '../lifetimes.js';
import { grantPayload } from '../provider/grant-payload.js';
import { grantable, words } from '../provider/scope-words.js';
import { Authorizations } from '../tokens/authorizations.js';
import type { GrantsCollection } from './grant.collection.js';

/** What users decide about clients. */
@Injectable()
export class Approvals {
  constructor(
    private readonly database: Database,
    @Inject(collectionToken('grants')) private readonly grants: GrantsCollection,
    private readonly authorizations: Authorizations,
    private readonly audit: Audit,
  ) {}

  /**
   * Lets a client act for a user. What the user may not do himself is left out.
   * @param asked scopes separated by blanks.
   * @returns the id of the authorization.
   */
  async approve(client: RegisteredClient, account: Account, asked: string, source: AuditSource): Promise<string> {
    const granted = grantable(asked, account.scopes);
    const refused = words(asked).filter((scope) => !(granted as readonly string[]).includes(scope));
    const id = uuidv7();
    await this.database.transaction(async (tx) => {
      const grantId = await this.keep(tx, client, account.id, granted);
      await this.authorizations.add(tx, {
        id,
        user_id: account.id,
        client_id: client.id,
        grant_id: grantId,
        credentials_version: account.credentialsVersion,
        payload: grantPayload(account.id, client.id, granted.join(' '), refused.join(' ')),
        expires_at: Date.now() + REFRESH_TOKEN_SECONDS * 1000,
      });
    });
    this.audit.record('access_approved', source, client.id, { scope: granted.join(' '), authorization: id });
    return id;
  }

  refused(client: RegisteredClient, source: AuditSource): void {
    this.audit.record('access_denied', source, client.id);
  }

  /** One entry for each user and client, however often it is approved. */
  private async keep(
    tx: Transaction,
    client: RegisteredClient,
    userId: string,
    granted: readonly string[],
  ): Promise<string> {
    const known = 'SELECT id, scopes FROM grants WHERE user_id = $1 AND client_id = $2';
    const [grant] = await tx.query<{ id: string; scopes: string }>(known, [userId, client.id]);
    if (grant === undefined) {
      const row = { user_id: userId, client_id: client.id, client_name: client.name, scopes: JSON.stringify(granted) };
      return (await this.grants.insert(tx, row)).resource.id;
    }
    const scopes = JSON.stringify([...new Set([...(JSON.parse(grant.scopes) as string[]), ...granted])]);
    await this.grants.update(tx, grant.id, { scopes, client_name: client.name }, () => undefined);
    return grant.id;
  }
}
