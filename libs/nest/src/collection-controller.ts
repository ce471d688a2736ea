import type { CollectionDefinition, CollectionService, Identified } from '@items/collections';
import {
  applyDecorators,
  Controller,
  Delete,
  Get,
  HttpCode,
  Inject,
  Param,
  Post,
  Put,
  type Type,
} from '@nestjs/common';

import { collectionToken } from './collection-token.js';
import { Exchange, HttpExchange } from './http-exchange.js';
import { JsonBody } from './json-body.js';

/** Where a collection is found, and what its routes carry beside the table of §4: guards, rules of access, texts. */
export interface CollectionRoutes {
  /** From the root, without a slash: `items`. */
  readonly path: string;
  /** Of the routes that read, such as a guard's. */
  readonly read?: readonly MethodDecorator[];
  /** Of the routes that write. */
  readonly write?: readonly MethodDecorator[];
  /** Of the controller as a whole. */
  readonly all?: readonly ClassDecorator[];
}

/**
 * The table of SPEC §4 for a collection that does nothing of its own in it. One that does writes these five
 * methods down in a controller of its own.
 * @throws {Error} the collection is nested: these routes would show everybody's members.
 * @example controllers: [collectionController(books, { path: 'books', write: [UseGuards(LibrarianGuard)] })]
 */
export function collectionController<Resource extends Identified, Input extends object, Hidden>(
  collection: CollectionDefinition<Resource, Input, Hidden>,
  { path, read = [], write = [], all = [] }: CollectionRoutes,
): Type {
  if (collection.parent !== undefined) {
    throw new Error(
      `The collection "${collection.name}" is nested, and collectionController() does not know whose members a path means: ` +
        'write a controller that gives its service the keys of the parent.',
    );
  }
  /** SPEC §4 */
  @Controller(path)
  @applyDecorators(...all)
  class CollectionController {
    constructor(
      @Inject(collectionToken(collection)) private readonly members: CollectionService<Resource, Input, Hidden>,
    ) {}

    @Get()
    @applyDecorators(...read)
    async list(@Exchange('with query') exchange: HttpExchange): Promise<object> {
      return exchange.list(await this.members.list(exchange.listRequest(collection), exchange.path));
    }

    @Post()
    @applyDecorators(...write)
    async create(@Exchange() exchange: HttpExchange, @JsonBody(collection.dto) input: Input): Promise<Resource> {
      return exchange.created(await this.members.create(input, exchange.path, exchange.repeatable(input)));
    }

    @Get(':id')
    @applyDecorators(...read)
    async get(@Exchange() exchange: HttpExchange, @Param('id') id: string): Promise<Resource | undefined> {
      return exchange.tagged(await this.members.get(id));
    }

    @Put(':id')
    @applyDecorators(...write)
    async replace(
      @Exchange() exchange: HttpExchange,
      @Param('id') id: string,
      @JsonBody(collection.dto) input: Input,
    ): Promise<Resource> {
      return exchange.replaced(await this.members.replace(id, input, exchange.precondition));
    }

    @Delete(':id')
    @applyDecorators(...write)
    @HttpCode(204)
    remove(@Exchange() exchange: HttpExchange, @Param('id') id: string): Promise<void> {
      return this.members.remove(id, exchange.precondition);
    }
  }
  return CollectionController;
}
