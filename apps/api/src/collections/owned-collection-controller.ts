import type { DtoClass } from '@items/dtos';
import { Controller, Delete, Get, Inject, Param, Post, Put, type Type } from '@nestjs/common';

import { Caller } from '../auth/caller.js';
import { OwnUser } from '../auth/own-user.js';
import { Owners } from '../auth/owners.js';
import type { Principal } from '../auth/principal.js';
import { RequireScope } from '../auth/require-scope.js';
import type { VersionedRow } from '../database/versioned-row.js';
import { Exchange, HttpExchange } from '../http/http-exchange.js';
import { JsonBody } from '../http/json-body.js';
import type { CollectionNotes } from '../openapi/description/collection-notes.js';
import { DescribesCollection } from '../openapi/description/describes-collection.js';
import { ID } from '../openapi/description/resource-schemas.js';
import type { CollectionDefinition, Identified } from './collection.js';
import type { CollectionAccess } from './collection-controller.js';
import type { CollectionService } from './collection-service.js';
import { collectionToken } from './collections.module.js';

/** A resource that belongs to a user. */
export interface Owned extends Identified {
  readonly user_id: string;
}

const notes: CollectionNotes = { fields: { user_id: { ...ID, description: 'To whom it belongs.' } } };

/**
 * The same table for a collection below `/users/:user_id`: users have their own, administrators everybody's.
 * @param Input what POST and PUT accept.
 * @example controllers: [ownedCollectionController(noteCollection, NoteInputDto, { path: 'users/:user_id/notes', … })]
 * @see authentication.md "Scopes and roles"
 */
export function ownedCollectionController<Row extends VersionedRow, Resource extends Owned, Input extends object>(
  collection: CollectionDefinition<Row, Resource, Input>,
  Input: DtoClass<Input>,
  { path, read, write }: CollectionAccess,
): Type {
  /** SPEC §4, §2 rule 2 */
  @Controller(path)
  @OwnUser('user_id')
  @DescribesCollection(collection, notes)
  class OwnedCollectionController {
    constructor(
      private readonly owners: Owners,
      @Inject(collectionToken(collection.name)) private readonly members: CollectionService<Row, Resource, Input>,
    ) {}

    @Get()
    @RequireScope(read)
    async list(
      @Exchange('with query') exchange: HttpExchange,
      @Caller() caller: Principal,
      @Param('user_id') userId: string,
    ): Promise<object> {
      const request = exchange.listRequest(collection);
      const within = await this.owners.kept(caller, userId, this.members);
      return exchange.list(await this.members.list(request, exchange.path, within));
    }

    @Post()
    @RequireScope(write)
    async create(
      @Exchange() exchange: HttpExchange,
      @Caller() caller: Principal,
      @Param('user_id') userId: string,
      @JsonBody(Input) input: Input,
    ): Promise<Resource> {
      const within = await this.owners.owned(caller, userId);
      return exchange.created(await this.members.create(input, exchange.path, exchange.repeatable(input), within));
    }

    @Get(':id')
    @RequireScope(read)
    async get(
      @Exchange() exchange: HttpExchange,
      @Caller() caller: Principal,
      @Param('user_id') userId: string,
      @Param('id') id: string,
    ): Promise<Resource | undefined> {
      const within = await this.owners.kept(caller, userId, this.members);
      return exchange.tagged(await this.members.get(id, within));
    }

    @Put(':id')
    @RequireScope(write)
    async replace(
      @Exchange() exchange: HttpExchange,
      @Caller() caller: Principal,
      @Param('user_id') userId: string,
      @Param('id') id: string,
      @JsonBody(Input) input: Input,
    ): Promise<Resource> {
      const within = await this.owners.kept(caller, userId, this.members);
      return exchange.replaced(await this.members.replace(id, input, exchange.precondition, within));
    }

    @Delete(':id')
    @RequireScope(write)
    async remove(
      @Exchange() exchange: HttpExchange,
      @Caller() caller: Principal,
      @Param('user_id') userId: string,
      @Param('id') id: string,
    ): Promise<void> {
      const within = await this.owners.kept(caller, userId, this.members);
      await this.members.remove(id, exchange.precondition, within);
      return exchange.deleted();
    }
  }
  return OwnedCollectionController;
}
