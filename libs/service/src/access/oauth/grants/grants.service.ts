import type { ListAnswer } from '../../../data/lists/list-page.js';
import type { Precondition } from '../../../data/collections/write-options.js';
import type { ParentKeys } from '../../../data/definition/parent-keys.js';
import { type MaybePromise } from '@items/conventions';
import type { Grant } from '@items/dtos/contract';
import type { ListRequest } from '@items/paging';
import { type CollectionOf, InjectCollection } from '../../../http/nest/collection-token.js';
import { type Transaction } from '../../../data/database/database.js';
import { isRowId } from '../../../data/schema/row-id.js';
import { Injectable } from '@nestjs/common';

import { ApiKeyRemovalsService } from '../../api-keys/api-key-removals.service.js';
import { ownUserId } from '../../auth/ownership.js';
import type { ChangeSource } from '../../principal/request-principal.js';
import type { Principal } from '../../principal/principal.js';
import { Authorizations } from '../authorizations/authorizations.js';
import { grantCollection } from '../authorizations/grant.collection.js';

const OF_GRANT = 'SELECT user_id, client_id FROM grants WHERE id = $1';

@Injectable()
export class GrantsService {
  constructor(
    @InjectCollection(grantCollection) private readonly grants: CollectionOf<typeof grantCollection>,
    private readonly authorizations: Authorizations,
    private readonly keys: ApiKeyRemovalsService,
  ) {}

  list(caller: Principal, request: ListRequest, path: string): MaybePromise<ListAnswer<Grant>> {
    return this.grants.list(request, path, ownOf(caller));
  }

  /**
   * The client's tokens, and the keys that it created, end immediately in this process and within seconds in others.
   * @throws {ResourceNotFoundError} 404: also for another user's approval.
   */
  async remove(caller: Principal, id: string, precondition: Precondition, source: ChangeSource): Promise<void> {
    const own = ownOf(caller);
    const remove = async (tx: Transaction): Promise<void> => {
      const grant = await clientOf(tx, id);
      await this.grants.delete(tx, id, precondition, own);
      await this.authorizations.endWithin(tx, 'grant_id', id);
      if (grant !== undefined) await this.keys.onWithdrawal(tx, grant.user_id, grant.client_id);
    };
    await this.grants.transaction(remove, { origin: source });
    this.authorizations.ended();
    this.keys.ended();
  }
}

async function clientOf(tx: Transaction, id: string): Promise<{ user_id: string; client_id: string } | undefined> {
  if (!isRowId(id)) return undefined;
  const [grant] = await tx.query<{ user_id: string; client_id: string }>(OF_GRANT, [id]);
  return grant;
}

/** An application reaches only its own approval of the user. */
function ownOf(caller: Principal): ParentKeys {
  const { delegatedTo } = caller;
  return { user_id: ownUserId(caller), ...(delegatedTo !== undefined && { client_id: delegatedTo }) };
}
