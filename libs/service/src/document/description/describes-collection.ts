import type { JsonSchema } from '@items/fields';
import { serialiseBy } from '../../http/nest/response-schema.js';

import { methodOf, writtenPathOf } from '../../http/nest/route-metadata.js';
import { collectionNames } from './collection-names.js';
import type { CollectionDescription, DescribedCollection } from './collection-description.js';
import { collectionOperations, type CollectionOperations, rotateOperation } from './collection-operations.js';
import { describeOperation, operationOf } from './operation.js';
import { anyPageSchema, extended, resourceSchemaOf } from './resource-schemas.js';

const KINDS: Readonly<Record<string, keyof CollectionOperations | 'rotate'>> = {
  'GET /': 'list',
  'POST /': 'create',
  'GET :id': 'read',
  'PUT :id': 'replace',
  'DELETE :id': 'remove',
  'POST :id/rotations': 'rotate',
};

/**
 * Describes the collection routes of a controller. Routes that return the resource get a serialiser made of its schema.
 * A handler with its own `@Operation()` keeps it.
 * @example
 * @Controller('items')
 * @DescribesCollection(itemCollection) export class ItemsController {}
 */
export function DescribesCollection(
  collection: DescribedCollection,
  description: CollectionDescription = {},
): ClassDecorator {
  return (controller) => {
    const handlers = handlersOf(controller.prototype as object);
    const always = resourceSchemaOf(collection);
    const resource = description.sometimes === undefined ? always : extended(always, description.sometimes, false);
    const created =
      description.secrets === undefined
        ? resource
        : extended(resource, description.secrets, description.mayLackSecrets !== true);
    const names = collectionNames(collection.name, collection.singular);
    const parts = { collection, names, description, resource, created };
    const operations = { ...collectionOperations(parts), rotate: rotateOperation(parts) };
    const schemas = serialised(collection.name, resource, created);
    for (const [kind, handler] of handlers) {
      const operation = operations[kind];
      if (operation !== undefined && operationOf(handler) === undefined) describeOperation(handler, operation);
      if (kind === 'rotate') continue;
      const schema = schemas[kind];
      if (schema !== undefined) serialiseBy(handler, schema);
    }
  };
}

function handlersOf(prototype: object): Map<keyof CollectionOperations | 'rotate', object> {
  const handlers = new Map<keyof CollectionOperations | 'rotate', object>();
  for (const { value } of Object.values(Object.getOwnPropertyDescriptors(prototype)) as { value?: unknown }[]) {
    if (typeof value !== 'function') continue;
    const method = methodOf(value);
    if (method === undefined) continue;
    const kind = KINDS[`${method} ${writtenPathOf(value)}`];
    if (kind !== undefined) handlers.set(kind, value);
  }
  return handlers;
}

function serialised(
  name: string,
  resource: JsonSchema,
  created: JsonSchema,
): Readonly<Partial<Record<keyof CollectionOperations, object>>> {
  return {
    list: { 200: anyPageSchema(name, resource) },
    create: { 201: created },
    read: { 200: resource },
    replace: { 200: resource },
  };
}
