import type { JsonSchema } from '@items/fields';

import type { DescribedCollection } from './collection-description.js';
import { collectionNames, withArticle } from './collection-names.js';
import { exampleOf } from './example.js';
import { json, schemaRef } from './media-types.js';
import type { OperationDescription, SentRequest } from './operation.js';
import { closed, ID, resourceSchema, TIME, withoutUpdatedAt, type Fields } from './resource-schemas.js';

/** A collection with events, as far as their description needs it. */
export interface DescribedEvents {
  readonly collection: Pick<DescribedCollection, 'name' | 'singular' | 'dto' | 'immutable'> & {
    readonly events?: string | { readonly fields?: readonly string[] };
  };
  /** `item.created`, as `kindsOf(collection)` returns them. */
  readonly kinds: readonly string[];
}

const SET_TIMES = ['created_at', 'updated_at'];
/** Of a field that holds another time in its example. */
const FORMER_TIME = '2026-01-01T00:00:00.000Z';

/** One resource, as events tell of it. */
interface Told {
  readonly object: JsonSchema;
  readonly objectName: string;
  readonly changeName: string;
  readonly singular: string;
}

/** What the examples have in common, and what only the application knows. */
export interface EventExamples {
  readonly id: string;
  readonly timestamp: string;
  readonly apiVersion: string;
  /** Kind → what changes in its example beside the time; without it, a field that may be null, or a truth. */
  readonly changes?: Readonly<Record<string, ExampleChange>>;
}

/** Some fields of a resource, after and before a change. */
export interface ExampleChange {
  readonly after: object;
  readonly before: object;
}

/**
 * What a service sends for each kind of event, with an example, from the definitions of its collections.
 * @returns what an `@Operation()` takes.
 */
export function eventWebhooks(
  described: readonly DescribedEvents[],
  examples: EventExamples,
): Required<Pick<OperationDescription, 'schemas' | 'webhooks'>> {
  const parts = described.map(({ collection, kinds }) => ({ told: toldOf(collection), kinds }));
  const sent = parts.flatMap(({ told, kinds }) => kinds.map((kind) => [kind, sentFor(kind, told, examples)] as const));
  return {
    webhooks: Object.fromEntries(sent),
    schemas: Object.assign({}, ...parts.map(({ told, kinds }) => schemasOf(told, kinds))) as Record<string, JsonSchema>,
  };
}

function toldOf({ name, singular, dto, events, ...collection }: DescribedEvents['collection']): Told {
  const whole = collection.immutable ? withoutUpdatedAt(resourceSchema(dto)) : resourceSchema(dto);
  const fields = typeof events === 'object' ? events.fields : undefined;
  const { schema } = collectionNames(name, singular);
  return {
    object: fields === undefined ? whole : closed(picked(fieldsOf(whole), fields)),
    objectName: fields === undefined ? schema : `${schema}InEvent`,
    changeName: `${schema}Change`,
    singular,
  };
}

function schemasOf({ object, objectName, changeName }: Told, kinds: readonly string[]): Record<string, JsonSchema> {
  const change = { ...closed(fieldsOf(object)), required: [] };
  return { [objectName]: object, ...(kinds.some(tellsChange) && { [changeName]: change }) };
}

function sentFor(kind: string, told: Told, { id, timestamp, apiVersion, changes }: EventExamples): SentRequest {
  const [, verb = ''] = kind.split('.');
  const object = schemaRef(told.objectName);
  const previous = schemaRef(told.changeName);
  const data = closed(tellsChange(kind) ? { object, previous } : { object });
  const version: JsonSchema = { type: 'string', maxLength: 10, examples: [apiVersion] };
  const schema = closed({
    id: ID,
    type: { type: 'string', enum: [kind] },
    timestamp: TIME,
    api_version: version,
    data,
  });
  const envelope = { id, type: kind, timestamp, api_version: apiVersion };
  const one = withArticle(told.singular);
  return {
    summary: `${one.charAt(0).toUpperCase()}${one.slice(1)} was ${verb}`,
    content: json(schema, { ...envelope, data: exampleData(kind, told.object, timestamp, changes?.[kind]) }),
  };
}

/** A creation has nothing before it, and a deletion changes nothing in what was there. */
function tellsChange(kind: string): boolean {
  return !kind.endsWith('.created') && !kind.endsWith('.deleted');
}

/** The resource, and where it has changed, what was changed beside the time. */
function exampleData(kind: string, schema: JsonSchema, timestamp: string, given?: ExampleChange): object {
  const object = exampleOf(schema) as Readonly<Record<string, unknown>>;
  if (!tellsChange(kind)) return { object };
  const { after, before } = given ?? { after: {}, before: otherValue(fieldsOf(schema), object) };
  const { updated_at: former } = object;
  return {
    object: { ...object, ...after, updated_at: timestamp },
    previous: { ...before, updated_at: former },
  };
}

/** Of the first field of which another value is known without words of its own; else of one that another value can be made for. */
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

/** Undefined where the schema says too much of its values, or the service sets them. */
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
