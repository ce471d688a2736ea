import type { ListResponse } from '../../../data/lists/list-page.js';
import type { Precondition } from '../../../data/collections/write-options.js';
import type { ParentKeys } from '../../../data/definition/parent-keys.js';
import { type MaybePromise } from '@items/conventions';
import type { Grant, Scope } from '@items/dtos/contract';
import { grantPayload } from '../../credentials/tokens/artifacts.js';
import { REFRESH_TOKEN_SECONDS } from '../../credentials/tokens/lifetimes.js';
import { grantable, splitScope } from '../../credentials/tokens/scope-words.js';
import { Audit, type AuditSource } from '../../../runtime/logging/audit.js';
import type { Origin } from '../../../data/database/origin.js';
import { isUniqueViolation } from '../../../data/database/error-codes.js';
import type { ListRequest } from '@items/paging';
import { type CollectionOf, InjectCollection } from '../../../http/nest/collection-token.js';
import { type Transaction } from '../../../data/database/database.js';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { ApiKeyRemovalsService } from '../../api-keys/api-key-removals.service.js';
import { ownUserId } from '../../auth/ownership.js';
import type { Account } from '../../accounts/account.js';
import { Permissions } from '../../principal/permissions.js';
import { type ChangeSource, sourceOfUser } from '../../principal/request-principal.js';
import { delegableScopes } from '../../principal/rights.js';
import type { Principal } from '../../principal/principal.js';
import type { RegisteredClient } from '../clients/client-registry.js';
import { Authorizations } from '../authorizations/authorizations.js';
import { grantCollection } from '../authorizations/grant.collection.js';

type Application = Pick<RegisteredClient, 'id' | 'name'>;

interface KnownGrant {
  readonly id: string;
  readonly scopes: string;
}

const FIND = 'SELECT id, scopes FROM grants WHERE user_id = $1 AND client_id = $2';

@Injectable()
export class GrantsService {
  constructor(
    @InjectCollection(grantCollection) private readonly grants: CollectionOf<typeof grantCollection>,
    private readonly authorizations: Authorizations,
    private readonly keys: ApiKeyRemovalsService,
    private readonly audit: Audit,
    private readonly permissions: Permissions,
  ) {}

  list(caller: Principal, request: ListRequest, path: string): MaybePromise<ListResponse<Grant>> {
    return this.grants.list(request, path, reachableBy(caller));
  }

  /**
   * The client's tokens, and the keys that it created, end immediately in this process and within seconds in others.
   * @throws {ResourceNotFoundError} 404: also for another user's approval.
   */
  async remove(caller: Principal, id: string, precondition: Precondition, source: ChangeSource): Promise<void> {
    const own = reachableBy(caller);
    const remove = async (tx: Transaction): Promise<void> => {
      const { user_id: userId, client_id: clientId } = await this.grants.lock(tx, id);
      await this.grants.delete(tx, id, precondition, own);
      await this.authorizations.endInTransaction(tx, 'grant_id', id);
      await this.keys.onWithdrawal(tx, userId, clientId);
    };
    await this.grants.transaction(remove, { origin: source });
    this.authorizations.clearCaches();
    this.keys.clearCaches();
  }

  async approve(client: Application, account: Account, requested: string, source: AuditSource): Promise<string> {
    const granted = grantable(requested, delegableScopes(account.scopes), this.permissions.scopes);
    const refused = splitScope(requested).filter((scope) => !(granted as readonly string[]).includes(scope));
    const id = uuidv7();
    const approve = async (tx: Transaction): Promise<boolean> => {
      const [before] = await tx.query<KnownGrant>(FIND, [account.id, client.id]);
      const grantId = await this.upsert(tx, before, client, account.id, granted);
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
    const isNew = await this.retryOnConflict(approve, sourceOfUser(source, account.id, null));
    if (!isNew)
      this.audit.record('access_approved', source, client.id, { scope: granted.join(' '), authorization: id });
    return id;
  }

  refuse(client: Application, source: AuditSource): void {
    this.audit.record('access_denied', source, client.id);
  }

  /**
   * If a concurrent request approved first, the unique index refuses this approval. The retry then updates the other.
   */
  private async retryOnConflict<Result>(work: (tx: Transaction) => Promise<Result>, origin: Origin): Promise<Result> {
    try {
      return await this.grants.transaction(work, { origin });
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      return this.grants.transaction(work, { origin });
    }
  }

  private async upsert(
    tx: Transaction,
    grant: KnownGrant | undefined,
    client: Application,
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

/** Restricts an application to the approval that the user gave it. */
function reachableBy(caller: Principal): ParentKeys {
  const { delegatedTo } = caller;
  return { user_id: ownUserId(caller), ...(delegatedTo !== undefined && { client_id: delegatedTo }) };
}
