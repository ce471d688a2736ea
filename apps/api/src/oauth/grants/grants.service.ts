import type { ListAnswer, Precondition, ParentKeys } from '@items/collections';
import type { Eventual } from '@items/conventions';
import type { Grant } from '@items/contracts';
import { Audit, type AuditSource } from '@items/logging/nest';
import type { ListRequest } from '@items/paging';
import { NarrowedLoginError } from '@items/errors';
import { InjectCollection, type CollectionOf } from '@items/nest';
import { Injectable } from '@nestjs/common';

import { Accounts } from '../../accounts/accounts.js';
import { isNarrowedLogin } from '../../auth/narrowed-login.js';
import { ownUserId } from '../../auth/ownership.js';
import type { Principal } from '../../principal/principal.js';
import { Authorizations } from '../authorizations/authorizations.js';
import { grantCollection } from '../authorizations/grant.collection.js';

/** What a user has approved. SPEC §5 OAuth 2.0 */
@Injectable()
export class GrantsService {
  constructor(
    @InjectCollection(grantCollection) private readonly grants: CollectionOf<typeof grantCollection>,
    private readonly authorizations: Authorizations,
    private readonly accounts: Accounts,
    private readonly audit: Audit,
  ) {}

  /** @throws {ResourceNotFoundError} 404: the credential belongs to no user. */
  list(caller: Principal, request: ListRequest, path: string): Eventual<ListAnswer<Grant>> {
    return this.grants.list(request, path, ownOf(caller));
  }

  /**
   * Takes an approval back: all that the client got by it is dead, at once here, within seconds elsewhere.
   * @throws {NarrowedLoginError} 403: a login that may do less than its user, whether or not there is such an approval.
   * @throws {ResourceNotFoundError} 404: also another user's. @throws {PreconditionFailedError} 412
   */
  async remove(caller: Principal, id: string, precondition: Precondition, source: AuditSource): Promise<void> {
    const account = await this.accounts.find(ownUserId(caller));
    if (account !== undefined && isNarrowedLogin(caller, account.scopes)) throw new NarrowedLoginError();
    await this.grants.transaction(async (tx) => {
      await this.grants.delete(tx, id, precondition, ownOf(caller));
      await this.authorizations.endWithin(tx, 'grant_id', id);
    });
    this.authorizations.ended();
    this.audit.record('grant_revoked', source, id);
  }
}

/** The user's; an application sees and gives back only what it was given itself. */
function ownOf(caller: Principal): ParentKeys {
  const { delegatedTo } = caller;
  return { user_id: ownUserId(caller), ...(delegatedTo !== undefined && { client_id: delegatedTo }) };
}
