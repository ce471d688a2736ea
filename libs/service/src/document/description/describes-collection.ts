import { serialiseBy } from '../../http/nest/response-schema.js';

import { methodOf, writtenPathOf } from '../../http/nest/route-metadata.js';
import { collectionNames } from './collection-names.js';
import type { CollectionDescription, DescribedCollection } from './collection-description.js';
import { collectionOperations, type CollectionOperations, rotateOperation } from './collection-operations.js';
import { describeOperation, operationOf } from './operation.js';
import { anyPageSchema, extended, resourceSchemaOf } from './resource-schemas.js';

type Kind = keyof CollectionOperations | 'rotate';

const KINDS: Readonly<Record<string, Kind>> = {
  'GET /': 'list',
  'POST /': 'create',
  'GET :id': 'read',
  'PUT :id': 'replace',
  'DELETE :id': 'remove',
  'POST :id/rotations': 'rotate',
};

/**
 * Describes the collection routes of a controller. Fastify serialises their responses by the schema of the resource.
 * A handler with `@Operation()` keeps that description.
 * @example
 * @Controller('items')
 * @DescribesCollection(itemCollection) export class ItemsController {}
 */
export function DescribesCollection(
  collection: DescribedCollection,
  description: CollectionDescription = {},
): ClassDecorator {
  return (controller) => {
    const { sometimes, secrets, mayLackSecrets } = description;
    const always = resourceSchemaOf(collection);
    const resource = sometimes === undefined ? always : extended(always, sometimes, false);
    const created = secrets === undefined ? resource : extended(resource, secrets, mayLackSecrets !== true);
    const names = collectionNames(collection.name, collection.singular);
    const parts = { collection, names, description, resource, created };
    const operations = { ...collectionOperations(parts), rotate: rotateOperation(parts) };
    const schemas: Partial<Record<Kind, object>> = {
      list: { 200: anyPageSchema(collection.name, resource) },
      create: { 201: created },
      read: { 200: resource },
      replace: { 200: resource },
    };
    const members = Object.getOwnPropertyDescriptors(controller.prototype as object);
    for (const { value } of Object.values(members) as { readonly value?: unknown }[]) {
      if (typeof value !== 'function') continue;
      const kind = KINDS[`${String(methodOf(value))} ${writtenPathOf(value)}`];
      if (kind === undefined) continue;
      const { [kind]: operation } = operations;
      const { [kind]: schema } = schemas;
      if (operation !== undefined && operationOf(value) === undefined) describeOperation(value, operation);
      if (schema !== undefined) serialiseBy(value, schema);
    }
  };
}
