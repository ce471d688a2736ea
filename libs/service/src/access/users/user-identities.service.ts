import { ALL_PARENTS } from '../../data/definition/parent-keys.js';
import type { Identity, Role, User } from '@items/dtos/contract';
import { endBrowserLogins } from '../credentials/tokens/artifacts.js';
import { ApiError, ConflictError } from '@items/conventions';
import { type CollectionOf, InjectCollection } from '../../http/nest/collection-token.js';
import { isUniqueViolation } from '../../data/database/error-codes.js';
import { Injectable } from '@nestjs/common';

import type { ChangeSource } from '../principal/request-principal.js';
import { Permissions } from '../principal/permissions.js';
import type { Principal } from '../principal/principal.js';
import { AccountChanges } from './account-changes.js';
import { type IdentityColumns, identityColumns, userCollection } from './user.collection.js';
import { requireRank } from './users.service.js';

export const IDENTITY_TAKEN = new ConflictError('identity_taken', 'Another user is linked to this identity.');

/** 404: the user has no link. */
export class NoIdentityError extends ApiError {
  override readonly status = 404;
  override readonly code = 'no_identity';

  constructor() {
    super('This user is not linked to an identity provider.');
  }
}

@Injectable()
export class UserIdentitiesService {
  constructor(
    @InjectCollection(userCollection) private readonly users: CollectionOf<typeof userCollection>,
    private readonly changes: AccountChanges,
    private readonly permissions: Permissions,
  ) {}

  /**
   * Replaces an earlier link, and ends the user's browser logins. The person then acts as the user, so the caller needs
   * all rights of the user.
   * @throws {ConflictError} 409: another user has the identity.
   */
  async link(caller: Principal, id: string, identity: Identity, source: ChangeSource): Promise<Identity> {
    const { issuer, subject } = identity;
    await this.change(id, { issuer, subject }, source, (role) => requireRank(this.permissions, caller, role));
    return { issuer, subject };
  }

  unlink(id: string, source: ChangeSource): Promise<void> {
    return this.change(id, null, source, (_role, former) => {
      if (former === null) throw new NoIdentityError();
    });
  }

  private async change(
    id: string,
    identity: Identity | null,
    source: ChangeSource,
    judge: (role: Role, former: Identity | null) => void,
  ): Promise<void> {
    try {
      await this.users.transaction(
        async (tx) => {
          const decide = (user: Pick<User, 'role' | 'identity'>): IdentityColumns => {
            judge(user.role, user.identity);
            return identityColumns(identity);
          };
          const { resource } = await this.users.lockAndUpdate(tx, id, decide, ALL_PARENTS);
          await endBrowserLogins(tx, resource.id);
        },
        { origin: source },
      );
    } catch (error) {
      throw isUniqueViolation(error) ? IDENTITY_TAKEN : error;
    }
    await this.changes.changed(id, { kind: 'identity' });
  }
}
