import type { Grant } from '@items/contracts';
import type { ListRequest } from '@items/paging';
import { Inject, Injectable } from '@nestjs/common';

import { userOf } from '../../auth/ownership.js';
import type { Principal } from '../../auth/principal.js';
import type { ListAnswer } from '../../collections/collection-reader.js';
import type { Precondition } from '../../collections/collection-service.js';
import { collectionToken } from '../../collections/collections.module.js';
import type { Within } from '../../collections/within.js';
import { Database } from '../../database/database.js';
import { Audit, type AuditSource } from '../../logging/audit.js';
import { Authorizations } from '../tokens/authorizations.js';
import type { GrantsCollection } from './grant.collection.js';

/** What a user has approved. SPEC §5 OAuth 2.0 */
@Injectable()
export class GrantsService {
  constructor(
    @Inject(collectionToken('grants')) private readonly grants: GrantsCollection,
    private readonly database: Database,
    private readonly authorizations: Authorizations,
    private readonly audit: Audit,
  ) {}

  /** @throws {ResourceNotFoundError} 404: the credential belongs to no user. */
  list(caller: Principal, request: ListRequest, path: string): Promise<ListAnswer<Grant>> {
    return this.grants.list(request, path, ownOf(caller));
  }

  /**
   * Takes an approval back: all that the client got by it is dead, at once here, within seconds elsewhere.
   * @throws {ResourceNotFoundError} 404: also another user's. @throws {PreconditionFailedError} 412
   */
  async remove(caller: Principal, id: string, precondition: Precondition, source: AuditSource): Promise<void> {
    await this.database.transaction(async (tx) => {
      await this.grants.delete(tx, id, precondition, ownOf(caller));
      await this.authorizations.endWithin(tx, 'grant_id', id);
    });
    this.authorizations.ended();
    this.audit.record('grant_revoked', source, id);
  }
}

/** The user's; an application sees and gives back only what it was given itself. */
function ownOf(caller: Principal): Within {
  const { delegatedTo } = caller;
  return { user_id: userOf(caller, 'me'), ...(delegatedTo !== undefined && { client_id: delegatedTo }) };
}
