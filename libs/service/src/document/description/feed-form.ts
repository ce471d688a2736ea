import { DEFAULT_PAGE_SIZE, MAX_CURSOR_LENGTH, MAX_PAGE_SIZE } from '@items/conventions';
import type { JsonSchema } from '@items/fields';
import { timeRange } from '@items/paging';

import { schemaRef } from './media-types.js';
import type { QueryParameter } from './operation.js';
import { ID } from './resource-schemas.js';

export interface FeedForm<Name extends string> {
  readonly query: readonly QueryParameter[];
  readonly schemas: Readonly<Record<Name, JsonSchema>>;
}

export interface FeedQuery {
  readonly kinds: string;
  readonly maxWaitSeconds: number;
  readonly exampleType: string;
  readonly member: string;
}

const TIME_RANGE: JsonSchema = { ...timeRange.schema, examples: ['2026-11-20T09:30:00.000Z'] };
const PLACE: JsonSchema = { ...ID, description: 'A place in the feed, to be sent as `after`.' };

export function closed(
  properties: Readonly<Record<string, JsonSchema>>,
  required = Object.keys(properties),
): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}

export function pageOf(list: string, schema: string): JsonSchema {
  return closed(
    {
      [list]: { type: 'array', maxItems: MAX_PAGE_SIZE, items: schemaRef(schema) },
      limit: {
        type: 'integer',
        format: 'int64',
        minimum: 1,
        maximum: MAX_PAGE_SIZE,
        description: 'Events a page, as they were served.',
        examples: [DEFAULT_PAGE_SIZE],
      },
      next_cursor: {
        type: 'string',
        maxLength: MAX_CURSOR_LENGTH,
        description: 'Opaque; absent on the last page.',
        examples: ['AQx5c29ydA'],
      },
      after: PLACE,
    },
    [list, 'limit', 'after'],
  );
}

export const optional = (name: string, schema: JsonSchema): QueryParameter => ({ name, required: false, schema });

export function feedQuery({ kinds, maxWaitSeconds, exampleType, member }: FeedQuery): readonly QueryParameter[] {
  return [
    optional('after', {
      ...PLACE,
      description: `Begins behind this place: the \`after\` of a page, or the id of ${member}.`,
    }),
    optional('wait', {
      type: 'integer',
      format: 'int64',
      minimum: 0,
      maximum: maxWaitSeconds,
      description: `Seconds for which an empty first page waits for ${member}. Not with \`sort=-timestamp\`.`,
      examples: [0],
    }),
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
    optional('limit', {
      type: 'integer',
      format: 'int64',
      minimum: 1,
      maximum: MAX_PAGE_SIZE,
      description: `Events a page, ${String(DEFAULT_PAGE_SIZE)} without it; more is served as ${String(MAX_PAGE_SIZE)}.`,
      examples: [DEFAULT_PAGE_SIZE],
    }),
    optional('cursor', {
      type: 'string',
      minLength: 1,
      maxLength: MAX_CURSOR_LENGTH,
      description: '`next_cursor` of the page before. It belongs to the same filter, sort and `after`.',
      examples: ['AQx5c29ydA'],
    }),
  ];
}
