import { ResourceNotFoundError } from '@items/conventions';
import { Injectable, Module } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { ParentKeys } from '../../data/definition/parent-keys.js';
import type { MembersOfParent, ParentOfRequest } from '../../http/nest/collection-pipeline.js';
import { isRowId } from '../../data/schema/row-id.js';
import { Accounts } from '../accounts/accounts.js';
import { ownerOf } from './decorators.js';
import type { Owner } from './ownership.js';
import { AccountsModule } from '../accounts/accounts.module.js';

export type OwnerKeys = ParentKeys & { readonly user_id: string };

/** Checks that users exist, for collections below `/users/{user_id}`. SPEC §2, §5.2 */
@Injectable()
export class Owners implements ParentOfRequest {
  constructor(private readonly accounts: Accounts) {}

  keysOf(request: FastifyRequest, members: MembersOfParent): Promise<OwnerKeys> {
    return this.existingOrDeleted(ownerOf(request), members);
  }

  keysForNew(request: FastifyRequest): Promise<OwnerKeys> {
    return this.existing(ownerOf(request));
  }

  /** @throws {ResourceNotFoundError} 404: the user does not exist. */
  async existing(owner: Owner): Promise<OwnerKeys> {
    if (!(await this.exists(owner))) throw new ResourceNotFoundError('user');
    return { user_id: owner.id };
  }

  async existingOrDeleted(owner: Owner, collection: MembersOfParent): Promise<OwnerKeys> {
    const keys = { user_id: owner.id };
    const isKnown = (await this.exists(owner)) || (isRowId(owner.id) && (await collection.hasAny(keys)));
    if (!isKnown) throw new ResourceNotFoundError('user');
    return keys;
  }

  private async exists({ id, isCaller }: Owner): Promise<boolean> {
    return isCaller || (await this.accounts.find(id)) !== undefined;
  }
}

@Module({ imports: [AccountsModule], providers: [Owners], exports: [Owners] })
export class OwnersModule {}
