import type { CollectionDefinition, CollectionService, Identified, ParentKeys } from '@items/collections';
import { type Eventual, andThen } from '@items/conventions';
import {
  applyDecorators,
  Controller,
  Delete,
  Get,
  HttpCode,
  Inject,
  Optional,
  Param,
  Post,
  Put,
  type Type,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { collectionToken } from './collection-token.js';
import { Exchange, HttpExchange } from './http-exchange.js';
import { JsonBody } from './json-body.js';

/** Says whose members the path of a nested collection means. */
export interface ParentOfRequest {
  /**
   * Of the members that are listed, read, replaced or removed.
   * @param members whether a parent that is gone has left any.
   * @throws {ResourceNotFoundError} 404: there is no such parent.
   */
  keysOf(request: FastifyRequest, members: MembersOfParent): Promise<ParentKeys>;
  /** Of a member that is to be made. @throws as {@link keysOf} */
  keysForNew(request: FastifyRequest): Promise<ParentKeys>;
}

/** As much of a nested collection as tells whether a parent has any members. */
export interface MembersOfParent {
  hasAny(parent: ParentKeys): Promise<boolean>;
}

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
  /** Of a nested collection: a provider of the controller's module that says whose members a path means. */
  readonly parent?: Type<ParentOfRequest>;
}

/**
 * The table of SPEC §4 for a collection that does nothing of its own in it. One that does writes these five
 * methods down in a controller of its own.
 * @throws {Error} the collection is nested and there is no `parent`: these routes would show everybody's members.
 * @example controllers: [collectionController(books, { path: 'books', write: [UseGuards(LibrarianGuard)] })]
 */
export function collectionController<Resource extends Identified, Input extends object, Hidden>(
  collection: CollectionDefinition<Resource, Input, Hidden>,
  { path, read = [], write = [], all = [], parent }: CollectionRoutes,
): Type {
  if ((collection.parent === undefined) !== (parent === undefined)) throw new Error(wrongParent(collection, parent));
  /** SPEC §4 */
  @Controller(path)
  @applyDecorators(...all)
  class CollectionController {
    constructor(
      @Inject(collectionToken(collection)) private readonly members: CollectionService<Resource, Input, Hidden>,
      @Optional() @Inject(parent ?? NO_PARENT_SOURCE) private readonly source?: ParentOfRequest,
    ) {
      if (parent !== undefined && source === undefined) {
        throw new Error(`The module of ${path} has no provider ${parent.name}: import the module that exports it.`);
      }
    }

    @Get()
    @applyDecorators(...read)
    list(@Exchange('with query') exchange: HttpExchange): Eventual<object> {
      const request = exchange.listRequest(collection);
      const keys = this.keysOf(exchange);
      return exchange.list(andThen(keys, (parent) => this.members.list(request, exchange.path, parent)));
    }

    @Post()
    @applyDecorators(...write)
    create(@Exchange() exchange: HttpExchange, @JsonBody(collection.dto) input: Input): Eventual<Resource> {
      const repeatable = exchange.repeatable(input);
      return andThen(this.source?.keysForNew(exchange.request), (parent) =>
        andThen(this.members.create(input, exchange.path, repeatable, parent), (made) => exchange.created(made)),
      );
    }

    @Get(':id')
    @applyDecorators(...read)
    get(@Exchange() exchange: HttpExchange, @Param('id') id: string): Eventual<Resource | undefined> {
      return exchange.tagged(andThen(this.keysOf(exchange), (parent) => this.members.get(id, parent)));
    }

    @Put(':id')
    @applyDecorators(...write)
    replace(
      @Exchange() exchange: HttpExchange,
      @Param('id') id: string,
      @JsonBody(collection.dto) input: Input,
    ): Eventual<Resource> {
      return andThen(this.keysOf(exchange), (parent) =>
        andThen(this.members.replace(id, input, exchange.precondition, parent), (state) => exchange.replaced(state)),
      );
    }

    @Delete(':id')
    @applyDecorators(...write)
    @HttpCode(204)
    async remove(@Exchange() exchange: HttpExchange, @Param('id') id: string): Promise<void> {
      await this.members.remove(id, exchange.precondition, await this.keysOf(exchange));
    }

    /** Of a nested collection. */
    private keysOf(exchange: HttpExchange): Eventual<ParentKeys | undefined> {
      return this.source?.keysOf(exchange.request, this.members);
    }
  }
  return CollectionController;
}

/** Stands for the provider that a collection without a parent has not. */
const NO_PARENT_SOURCE = Symbol('NO_PARENT_SOURCE');

function wrongParent({ name }: { readonly name: string }, parent: unknown): string {
  return parent === undefined
    ? `The collection "${name}" is nested, and collectionController() does not know whose members a path means: ` +
        'give it a `parent`, or write a controller that gives its service the keys of the parent.'
    : `The collection "${name}" is not nested, but collectionController() was given a \`parent\`: say it in defineCollection() too.`;
}
