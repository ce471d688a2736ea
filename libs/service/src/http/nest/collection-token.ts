import type { CollectionDefinition, HasId } from '../../data/definition/collection.js';
import type { CollectionService } from '../../data/collections/collection-service.js';
import { Inject } from '@nestjs/common';

export interface NamedCollection {
  readonly name: string;
}

/** The type of the service of a collection: `CollectionOf<typeof books>`. */
export type CollectionOf<Definition> =
  Definition extends CollectionDefinition<infer Resource extends HasId, infer Input, infer Hidden>
    ? CollectionService<Resource, Input, Hidden>
    : never;

const tokens = new WeakMap<NamedCollection, symbol>();

export function collectionToken(collection: NamedCollection): symbol {
  let token = tokens.get(collection);
  if (token === undefined) {
    token = Symbol(`collection of ${collection.name}`);
    tokens.set(collection, token);
  }
  return token;
}

/**
 * Injects a collection of the service (`collections` or `ServiceModule.forFeature(books)`).
 * @example
 * constructor(@InjectCollection(books) private readonly service: CollectionOf<typeof books>) {}
 */
export function InjectCollection(collection: NamedCollection): ParameterDecorator {
  return Inject(collectionToken(collection));
}
