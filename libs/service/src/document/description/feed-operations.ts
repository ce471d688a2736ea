import {
  type ApiError,
  DEFAULT_PAGE_SIZE,
  ExpiredCursorError,
  InvalidCursorError,
  InvalidQueryError,
  MAX_CURSOR_LENGTH,
  MAX_PAGE_SIZE,
  TooManyValuesError,
} from '@items/conventions';
import type { JsonSchema } from '@items/fields';
import { MAX_FILTER_COMBINATIONS, timeRange } from '@items/paging';

import { MAX_WAIT_SECONDS } from '../../feed/parse-events-query.js';
import { collectionNames, withArticle } from './collection-names.js';
import { json, schemaRef } from './media-types.js';
import type { OperationDescription, QueryParameter } from './operation.js';
import { closed, count, ID, NEXT_CURSOR, rows } from './resource-schemas.js';

export interface Feed {
  readonly tag: string;
  /** Name of one event: `audit event`. */
  readonly singular: string;
  readonly description: string;
  /** Phrase that lists the event types. */
  readonly kinds: string;
  readonly exampleType: string;
  readonly example: { readonly id: string };
  readonly pageExample: readonly object[];
  readonly schema: JsonSchema;
  readonly query?: readonly QueryParameter[];
  readonly errors?: readonly ApiError[];
}

const TIME_RANGE: JsonSchema = { ...timeRange.schema, examples: ['2026-11-20T09:30:00.000Z'] };
const POSITION: JsonSchema = { ...ID, description: 'A place in the feed, to be sent as `after`.' };
const LIST_ERRORS = [
  new InvalidQueryError('page', 'unknown_parameter', '"page" is not a parameter of this list.'),
  new TooManyValuesError(MAX_FILTER_COMBINATIONS),
  new InvalidCursorError(),
  new ExpiredCursorError(),
];

export function feedOperations(feed: Feed): Readonly<Record<'list' | 'get', OperationDescription>> {
  const { tag, singular, description, example, pageExample, schema, errors } = feed;
  const name = `${singular.replaceAll(' ', '_')}s`;
  const { schema: one, plural } = collectionNames(name, singular);
  const shared = { tag, ...(errors && { errors }) };
  return {
    list: {
      ...shared,
      id: `list${plural}`,
      summary: `List ${singular}s`,
      description,
      ending: 'plain',
      query: [...feedQuery(feed), ...(feed.query ?? [])],
      headers: { Link: 'sometimes' },
      content: json(schemaRef(`${one}Page`), { [name]: pageExample, limit: DEFAULT_PAGE_SIZE, after: example.id }),
      schemas: { [one]: schema, [`${one}Page`]: pageOf(name, one) },
      errors: [...(errors ?? []), ...LIST_ERRORS],
    },
    get: {
      ...shared,
      id: `get${one}`,
      summary: `Get ${withArticle(singular)}`,
      ending: 'tagged',
      resource: singular,
      content: json(schemaRef(one), example),
      schemas: { [one]: schema },
    },
  };
}

function pageOf(list: string, schema: string): JsonSchema {
  const properties = {
    [list]: rows(schemaRef(schema), MAX_PAGE_SIZE),
    limit: count(1, 'Events a page, as they were served.', DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE),
    next_cursor: NEXT_CURSOR,
    after: POSITION,
  };
  return closed(properties, [list, 'limit', 'after']);
}

export function optional(name: string, schema: JsonSchema): QueryParameter {
  return { name, required: false, schema };
}

function feedQuery({ kinds, exampleType, singular }: Feed): readonly QueryParameter[] {
  const member = withArticle(singular);
  return [
    optional('after', {
      ...POSITION,
      description: `Begins after this position: the \`after\` of a page, or the id of ${member}.`,
    }),
    optional(
      'wait',
      count(
        0,
        `Seconds for which an empty first page waits for ${member}. Not with \`sort=-timestamp\`.`,
        0,
        MAX_WAIT_SECONDS,
      ),
    ),
    optional('type', {
      type: 'string',
      minLength: 1,
      maxLength: 1024,
      description: `Kinds, separated by commas: ${kinds}.`,
      examples: [exampleType],
    }),
    optional('timestamp_min', { ...TIME_RANGE, description: 'Not before this time.' }),
    optional('timestamp_max', { ...TIME_RANGE, description: 'Not after this time.' }),
    optional('object_id', { ...ID, description: 'Only what happened to this resource.' }),
    optional('sort', {
      type: 'string',
      enum: ['timestamp', '-timestamp'],
      description: 'Oldest first without it; `-timestamp` is the exact reverse.',
      examples: ['timestamp'],
    }),
    optional(
      'limit',
      count(
        1,
        `Events a page, ${String(DEFAULT_PAGE_SIZE)} without it; more is served as ${String(MAX_PAGE_SIZE)}.`,
        DEFAULT_PAGE_SIZE,
        MAX_PAGE_SIZE,
      ),
    ),
    optional('cursor', {
      type: 'string',
      minLength: 1,
      maxLength: MAX_CURSOR_LENGTH,
      description: '`next_cursor` of the page before. It belongs to the same filter, sort and `after`.',
      examples: ['AQx5c29ydA'],
    }),
  ];
}
