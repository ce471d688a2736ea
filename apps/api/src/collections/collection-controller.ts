import type { Scope } from '@items/contracts';
import type { DtoClass } from '@items/dtos';
import { Controller, Delete, Get, Inject, Param, Post, Put, type Type } from '@nestjs/common';

import { RequireScope } from '../auth/require-scope.js';
import type { VersionedRow } from '../database/versioned-row.js';
import { Exchange, HttpExchange } from '../http/http-exchange.js';
import { JsonBody } from '../http/json-body.js';
import { DescribesCollection } from '../openapi/description/describes-collection.js';
import type { CollectionDefinition, Identified } from './collection.js';
import type { CollectionService } from './collection-service.js';
import { collectionToken } from './collections.module.js';

/** Where a collection is found, and who may do what with it. */
export interface CollectionAccess {
  /** From the root, without a slash: `items`. */
  readonly path: string;
  readonly read: Scope;
  readonly write: Scope;
}

/**
 * The table of specification §4 for a collection that does nothing of its own in it. One that does writes these five
 * methods down in a controller of its own, as `api-keys/` has it.
 * @param Input what POST and PUT accept.
 * @example controllers: [collectionController(itemCollection, ItemInputDto, { path: 'items', … })]
 */
export function collectionController<Row extends VersionedRow, Resource extends Identified, Input extends object>(
  collection: CollectionDefinition<Row, Resource, Input>,
  Input: DtoClass<Input>,
  { path, read, write }: CollectionAccess,
): Type {
  /** SPEC §4 */
  @Controller(path)
  @DescribesCollection(collection)
  class CollectionController {
    constructor(
      @Inject(collectionToken(collection.name)) private readonly members: CollectionService<Row, Resource, Input>,
    ) {}

    @Get()
    @RequireScope(read)
    async list(@Exchange('with query') exchange: HttpExchange): Promise<object> {
      return exchange.list(await this.members.list(exchange.listRequest(collection), exchange.path));
    }

    @Post()
    @RequireScope(write)
    async create(@Exchange() exchange: HttpExchange, @JsonBody(Input) input: Input): Promise<Resource> {
      return exchange.created(await this.members.create(input, exchange.path, exchange.repeatable(input)));
    }

    @Get(':id')
    @RequireScope(read)
    async get(@Exchange() exchange: HttpExchange, @Param('id') id: string): Promise<Resource | undefined> {
      return exchange.tagged(await this.members.get(id));
    }

    @Put(':id')
    @RequireScope(write)
    async replace(
      @Exchange() exchange: HttpExchange,
      @Param('id') id: string,
      @JsonBody(Input) input: Input,
    ): Promise<Resource> {
      return exchange.replaced(await this.members.replace(id, input, exchange.precondition));
    }

    @Delete(':id')
    @RequireScope(write)
    async remove(@Exchange() exchange: HttpExchange, @Param('id') id: string): Promise<void> {
      await this.members.remove(id, exchange.precondition);
      return exchange.deleted();
    }
  }
  return CollectionController;
}
