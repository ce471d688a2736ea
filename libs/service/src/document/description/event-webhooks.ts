import type { JsonSchema } from '@items/fields';

import type { DescribedCollection } from './collection-description.js';
import { capitalised, collectionNames, withArticle } from './collection-names.js';
import { exampleOf } from './example.js';
import { json, schemaRef } from './media-types.js';
import type { OperationDescription, SentRequest } from './operation.js';
import { closed, ID, resourceSchemaOf, TIME, type Fields } from './resource-schemas.js';

export interface DescribedEvents {
  readonly collection: Pick<DescribedCollection, 'name' | 'singular' | 'dto' | 'immutable'> & {
    readonly events?: string | { readonly fields?: readonly string[] };
  };
  readonly kinds: readonly string[];
}

const SET_TIMES = ['created_at', 'updated_at'];
const FORMER_TIME = '2026-01-01T00:00:00.000Z';

interface EventSchemas {
  readonly object: JsonSchema;
  readonly objectName: string;
  readonly changeName: string;
  readonly singular: string;
}

export interface EventExamples {
  readonly id: string;
  readonly timestamp: string;
  readonly apiVersion: string;
  /** An example change per kind of event. Default: one field with an invented value. */
  readonly changes?: Readonly<Record<string, ExampleChange>>;
}

export interface ExampleChange {
  readonly after: object;
  readonly before: object;
}

/** @returns Options of `@Operation()`: a webhook for each kind of event. */
export function eventWebhooks(
  described: readonly DescribedEvents[],
  examples: EventExamples,
): Required<Pick<OperationDescription, 'schemas' | 'webhooks'>> {
  const parts = described.map(({ collection, kinds }) => ({ schemas: eventSchemas(collection), kinds }));
  const sent = parts.flatMap(({ schemas, kinds }) =>
    kinds.map((kind) => [kind, sentFor(kind, schemas, examples)] as const),
  );
  return {
    webhooks: Object.fromEntries(sent),
    schemas: Object.assign({}, ...parts.map(({ schemas, kinds }) => schemasOf(schemas, kinds))) as Record<
      string,
      JsonSchema
    >,
  };
}

function eventSchemas({ name, singular, events, ...rules }: DescribedEvents['collection']): EventSchemas {
  const whole = resourceSchemaOf(rules);
  const fields = typeof events === 'object' ? events.fields : undefined;
  const { schema } = collectionNames(name, singular);
  return {
    object: fields === undefined ? whole : closed(picked(fieldsOf(whole), fields)),
    objectName: fields === undefined ? schema : `${schema}InEvent`,
    changeName: `${schema}Change`,
    singular,
  };
}

function schemasOf(
  { object, objectName, changeName }: EventSchemas,
  kinds: readonly string[],
): Record<string, JsonSchema> {
  const change = { ...closed(fieldsOf(object)), required: [] };
  return { [objectName]: object, ...(kinds.some(hasPrevious) && { [changeName]: change }) };
}

function sentFor(
  kind: string,
  schemas: EventSchemas,
  { id, timestamp, apiVersion, changes }: EventExamples,
): SentRequest {
  const [, verb = ''] = kind.split('.');
  const object = schemaRef(schemas.objectName);
  const previous = schemaRef(schemas.changeName);
  const schema = closed({
    id: ID,
    type: { type: 'string', enum: [kind] },
    timestamp: TIME,
    api_version: { type: 'string', maxLength: 10, examples: [apiVersion] },
    data: closed(hasPrevious(kind) ? { object, previous } : { object }),
  });
  const data = exampleData(kind, schemas.object, timestamp, changes?.[kind]);
  return {
    summary: `${capitalised(withArticle(schemas.singular))} was ${verb}`,
    content: json(schema, { id, type: kind, timestamp, api_version: apiVersion, data }),
  };
}

/** A creation has no former values, and a deletion changes no fields. */
function hasPrevious(kind: string): boolean {
  return !kind.endsWith('.created') && !kind.endsWith('.deleted');
}

function exampleData(kind: string, schema: JsonSchema, timestamp: string, given?: ExampleChange): object {
  const object = exampleOf(schema) as Readonly<Record<string, unknown>>;
  if (!hasPrevious(kind)) return { object };
  const { after, before } = given ?? { after: {}, before: otherValue(fieldsOf(schema), object) };
  return {
    object: { ...object, ...after, updated_at: timestamp },
    previous: { ...before, updated_at: object['updated_at'] },
  };
}

/** Prefers nullable and boolean fields, because their other value is obvious. */
function otherValue(fields: Fields, object: Readonly<Record<string, unknown>>): object {
  for (const [name, { type }] of Object.entries(fields)) {
    if (Array.isArray(type) && type.includes('null')) return { [name]: null };
    if (type === 'boolean') return { [name]: object[name] !== true };
  }
  for (const [name, schema] of Object.entries(fields)) {
    const former = formerValue(name, schema, object[name]);
    if (former !== undefined) return { [name]: former };
  }
  return {};
}

/** Invents a former value; undefined if the schema is too restrictive, or the service sets the field. */
function formerValue(name: string, schema: JsonSchema, value: unknown): unknown {
  const { type, format, enum: words, pattern, minimum, maxLength } = schema;
  if (typeof value === 'number') return typeof minimum === 'number' && value - 1 < minimum ? value + 1 : value - 1;
  if (typeof value !== 'string' || type !== 'string' || words !== undefined || pattern !== undefined) return undefined;
  if (format === 'date-time' && !SET_TIMES.includes(name)) return FORMER_TIME;
  const former = `Former ${value}`;
  return format === undefined && former.length <= Number(maxLength ?? Infinity) ? former : undefined;
}

function fieldsOf(schema: JsonSchema): Fields {
  return schema['properties'] as Fields;
}

function picked(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
}
