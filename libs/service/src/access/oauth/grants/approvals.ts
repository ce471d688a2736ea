import type { Scope } from '@items/dtos/contract';
import { grantable, words } from '../../credentials/tokens/scope-words.js';
import { grantPayload } from '../../credentials/tokens/artifacts.js';
import { REFRESH_TOKEN_SECONDS } from '../../credentials/tokens/lifetimes.js';
import { Audit, type AuditSource } from '../../../runtime/logging/audit.js';
import { type CollectionOf, InjectCollection } from '../../../http/nest/collection-token.js';
import { type Transaction } from '../../../data/database/database.js';
import type { Origin } from '../../../data/database/origin.js';
import { isUniqueViolation } from '../../../data/database/error-codes.js';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';

import type { Account } from '../../accounts/account.js';
import { delegableScopes } from '../../principal/rights.js';
import { sourceOfUser } from '../../principal/request-principal.js';
import { Permissions } from '../../principal/permissions.js';
import type { RegisteredClient } from '../clients/client-registry.js';
import { Authorizations } from '../authorizations/authorizations.js';
import { grantCollection } from '../authorizations/grant.collection.js';

@Injectable()
export class Approvals {
  constructor(
    @InjectCollection(grantCollection) private readonly grants: CollectionOf<typeof grantCollection>,
    private readonly authorizations: Authorizations,
    private readonly audit: Audit,
    private readonly permissions: Permissions,
  ) {}

  async approve(
    client: Pick<RegisteredClient, 'id' | 'name'>,
    account: Account,
    asked: string,
    source: AuditSource,
  ): Promise<string> {
    const granted = grantable(asked, delegableScopes(account.scopes), this.permissions.scopes);
    const refused = words(asked).filter((scope) => !(granted as readonly string[]).includes(scope));
    const id = uuidv7();
    const approve = async (tx: Transaction): Promise<boolean> => {
      const before = await findGrant(tx, client.id, account.id);
      const grantId = await this.keep(tx, before, client, account.id, granted);
      await this.authorizations.add(tx, {
        id,
        user_id: account.id,
        client_id: client.id,
        grant_id: grantId,
        credentials_version: account.credentialsVersion,
        payload: grantPayload(account.id, client.id, granted.join(' '), refused.join(' ')),
        expires_at: Date.now() + REFRESH_TOKEN_SECONDS * 1000,
      });
      return before === undefined;
    };
    const isNew = await this.once(approve, sourceOfUser(source, account.id, null));
    if (!isNew)
      this.audit.record('access_approved', source, client.id, { scope: granted.join(' '), authorization: id });
    return id;
  }

  refused(client: Pick<RegisteredClient, 'id' | 'name'>, source: AuditSource): void {
    this.audit.record('access_denied', source, client.id);
  }

  /** If a concurrent approval was faster, the unique index refuses this one, and the second attempt finds the other. */
  private async once<Result>(work: (tx: Transaction) => Promise<Result>, origin: Origin): Promise<Result> {
    try {
      return await this.grants.transaction(work, { origin });
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      return this.grants.transaction(work, { origin });
    }
  }

  private async keep(
    tx: Transaction,
    grant: KnownGrant | undefined,
    client: Pick<RegisteredClient, 'id' | 'name'>,
    userId: string,
    granted: readonly Scope[],
  ): Promise<string> {
    if (grant === undefined) {
      const row = { user_id: userId, client_id: client.id, client_name: client.name, scopes: granted };
      return (await this.grants.insert(tx, row)).resource.id;
    }
    const scopes = [...new Set([...(JSON.parse(grant.scopes) as Scope[]), ...granted])];
    await this.grants.update(tx, grant.id, { scopes, client_name: client.name }, () => undefined, { user_id: userId });
    return grant.id;
  }
}

interface KnownGrant {
  readonly id: string;
  readonly scopes: string;
}

async function findGrant(tx: Transaction, clientId: string, userId: string): Promise<KnownGrant | undefined> {
  const sql = 'SELECT id, scopes FROM grants WHERE user_id = $1 AND client_id = $2';
  const [grant] = await tx.query<KnownGrant>(sql, [userId, clientId]);
  return grant;
}
