import { type ApiError, ConflictError, ForbiddenError, NotFoundError, ResourceNotFoundError } from '@items/conventions';
import type { JsonSchema } from '@items/fields';

import { NotUniqueError } from '../../data/collections/unique-conflicts.js';
import { databaseUnavailable } from '../../data/database/database-unavailable.js';
import type { CollectionDefinition } from '../../data/definition/collection.js';
import { unknownReferenceError } from '../../data/writes/reference-checks.js';
import type { CollectionDescription, DescribedCollection } from './collection-description.js';
import { type CollectionNames, withArticle } from './collection-names.js';
import { exampleOf } from './example.js';
import { listContent } from './list-content.js';
import { json, schemaRef } from './media-types.js';
import type { OperationDescription } from './operation.js';

export type CollectionOperations = Readonly<
  Record<'list' | 'create' | 'read' | 'replace' | 'remove', OperationDescription>
>;

export interface CollectionParts {
  readonly collection: DescribedCollection;
  readonly names: CollectionNames;
  readonly description: CollectionDescription;
  readonly resource: JsonSchema;
  readonly created: JsonSchema;
}

const WALK = `A cursor walk (\`limit\`, then \`cursor\` until \`next_cursor\` is absent) lists the rows that matched when
its first page was served, in that order and with those field values, each exactly once. \`Link\` leads to other pages.`;

export function collectionOperations(parts: CollectionParts): CollectionOperations {
  const { collection, names, description, resource, created } = parts;
  const { singular } = collection;
  const [one, many] = [withArticle(singular), names.tag.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())];
  const member = json(schemaRef(names.schema), exampleOf(resource));
  const schemas = { [names.schema]: resource };
  const { changeErrors = [], deleteErrors = [] } = description;
  const writeErrors = [...(description.writeErrors ?? []), ...uniqueErrors(collection), ...referenceErrors(collection)];
  const errors = [databaseUnavailable(), ...(description.errors ?? [])];
  const shared = { tag: names.tag, resource: singular, errors };
  const createdName = description.secrets === undefined ? names.schema : `Created${names.schema}`;
  return {
    list: {
      ...shared,
      id: `list${names.plural}`,
      summary: `List ${many}`,
      description: WALK.replaceAll('\n', ' '),
      ending: 'list',
      list: collection,
      ...listContent(collection.name, names.schema, resource, collection.maxPageSize),
    },
    create: {
      ...shared,
      id: `create${names.schema}`,
      summary: `Create ${one}`,
      ...(description.secrets !== undefined && {
        description: 'Only this response shows the secret.',
        secret: true,
      }),
      ending: 'created',
      content: json(schemaRef(createdName), exampleOf(created)),
      schemas: { [createdName]: created },
      errors: [...errors, ...writeErrors],
    },
    read: { ...shared, id: `get${names.schema}`, summary: `Get ${one}`, ending: 'tagged', content: member, schemas },
    replace: {
      ...shared,
      id: `replace${names.schema}`,
      summary: `Replace ${one}`,
      description: description.replaces ?? 'Replaces the whole resource: an omitted optional field becomes null.',
      ending: 'replaced',
      content: member,
      schemas,
      errors: [...errors, ...writeErrors, ...changeErrors],
    },
    remove: {
      ...shared,
      id: `delete${names.schema}`,
      summary: `Delete ${one}`,
      ending: 'deleted',
      errors: [...errors, ...changeErrors, ...deleteErrors],
    },
  };
}

export function rotateOperation({
  collection,
  names,
  description,
  created,
}: CollectionParts): OperationDescription | undefined {
  const { rotation } = description;
  if (rotation === undefined) return undefined;
  const { errors = [], ...texts } = rotation;
  const schema = `Created${names.schema}`;
  return {
    tag: names.tag,
    ...texts,
    ending: 'created',
    secret: true,
    content: json(schemaRef(schema), exampleOf(created)),
    schemas: { [schema]: created },
    errors: [new ResourceNotFoundError(collection.singular), ...errors],
  };
}

function uniqueErrors({ name, singular, unique = [] }: DescribedCollection): ApiError[] {
  return unique.slice(0, 1).map(({ fields }) => new NotUniqueError({ name, singular }, fields));
}

function referenceErrors({ references = [] }: DescribedCollection): ApiError[] {
  return references
    .filter(({ isParent }) => !isParent)
    .slice(0, 1)
    .map(unknownReferenceError);
}

/** Possible errors of a rule without `ruleErrors`. Their codes are unknown: {@link hasAnyCode}. */
const UNDECLARED: readonly ApiError[] = [
  new ForbiddenError('A rule of this collection does not permit it.'),
  new NotFoundError('Something that a rule of this collection needs does not exist.'),
  new ConflictError('conflict', 'A rule of this collection does not permit it in this state.'),
];

export function ruleErrors(
  { rules, ruleErrors: declared }: Pick<CollectionDefinition<never, never>, 'rules' | 'ruleErrors'>,
  operation: keyof CollectionOperations,
): readonly ApiError[] {
  if (operation === 'list' || operation === 'read') return [];
  return declared?.[operation] ?? (rules?.[operation] === undefined ? [] : UNDECLARED);
}

export function hasAnyCode(error: ApiError): boolean {
  return UNDECLARED.includes(error);
}
