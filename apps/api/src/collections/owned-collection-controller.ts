import type { CollectionDefinition, CollectionService, Identified } from '@items/collections';
import { collectionToken, JsonBody } from '@items/nest';
import { DescribesCollection } from '@items/openapi';
import { Controller, Delete, Get, HttpCode, Inject, Param, Post, Put, type Type } from '@nestjs/common';

import { Exchange, HttpExchange } from '../http/http-exchange.js';
import type { CollectionAccess } from './scoped-collection-controller.js';
import { OwnerOrAdmin, PathOwner } from '../auth/owner-or-admin.js';
import { Owner } from '../auth/ownership.js';
import { Owners, type OwnerKeys } from '../auth/owners.js';
import { RequireScope } from '../auth/require-scope.js';

/** A resource that belongs to a user. */
export interface OwnedResource extends Identified {
  readonly user_id: string;
}

/**
 * The same table for a collection below `/users/:user_id`: users have their own, administrators everybody's.
 * @example controllers: [ownedCollectionController(noteCollection, { path: 'users/:user_id/notes', … })]
 * @see SPEC §5.2
 */
export function ownedCollectionController<Resource extends OwnedResource, Input extends object, Hidden>(
  collection: CollectionDefinition<Resource, Input, Hidden>,
  { path, read, write }: CollectionAccess,
): Type {
  /** SPEC §4, §2 rule 2 */
  @Controller(path)
  @OwnerOrAdmin('user_id')
  @DescribesCollection(collection)
  class OwnedCollectionController {
    constructor(
      private readonly owners: Owners,
      @Inject(collectionToken(collection)) private readonly members: CollectionService<Resource, Input, Hidden>,
    ) {}

    @Get()
    @RequireScope(read)
    async list(@Exchange('with query') exchange: HttpExchange, @PathOwner() owner: Owner): Promise<object> {
      const request = exchange.listRequest(collection);
      return exchange.list(await this.members.list(request, exchange.path, await this.keysOf(owner)));
    }

    @Post()
    @RequireScope(write)
    async create(
      @Exchange() exchange: HttpExchange,
      @PathOwner() owner: Owner,
      @JsonBody(collection.dto) input: Input,
    ): Promise<Resource> {
      const keys = await this.owners.existing(owner);
      return exchange.created(await this.members.create(input, exchange.path, exchange.repeatable(input), keys));
    }

    @Get(':id')
    @RequireScope(read)
    async get(
      @Exchange() exchange: HttpExchange,
      @PathOwner() owner: Owner,
      @Param('id') id: string,
    ): Promise<Resource | undefined> {
      return exchange.tagged(await this.members.get(id, await this.keysOf(owner)));
    }

    @Put(':id')
    @RequireScope(write)
    async replace(
      @Exchange() exchange: HttpExchange,
      @PathOwner() owner: Owner,
      @Param('id') id: string,
      @JsonBody(collection.dto) input: Input,
    ): Promise<Resource> {
      const keys = await this.keysOf(owner);
      return exchange.replaced(await this.members.replace(id, input, exchange.precondition, keys));
    }

    @Delete(':id')
    @RequireScope(write)
    @HttpCode(204)
    async remove(
      @Exchange() exchange: HttpExchange,
      @PathOwner() owner: Owner,
      @Param('id') id: string,
    ): Promise<void> {
      await this.members.remove(id, exchange.precondition, await this.keysOf(owner));
    }

    private keysOf(owner: Owner): Promise<OwnerKeys> {
      return this.owners.existingOrDeleted(owner, this.members);
    }
  }
  return OwnedCollectionController;
}
