import { DEFAULT_PAGE_SIZE, MAX_CURSOR_LENGTH, MAX_PAGE_SIZE } from '@items/conventions';
import type { JsonSchema } from '@items/fields';

import { schemaRef } from './media-types.js';
import type { QueryParameter } from './operation.js';
import { ID, TIME } from './resource-schemas.js';

/** An event as it is shown. */
export interface EventExample {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly api_version: string;
  readonly data: { readonly object: object; readonly previous: object };
}

/** What is told of a feed of events beside its form. */
export interface EventFeed {
  /** Kinds as they may be asked for: `item.updated`, `item.*`. */
  readonly kinds: readonly string[];
  /** Seconds for which a page may be waited for at most. */
  readonly maxWaitSeconds: number;
  /** An update. */
  readonly example: EventExample;
}

/** The form of a feed of events: what it can be asked for, and what it answers. SPEC §6.1 */
export interface EventFeedForm {
  readonly query: readonly QueryParameter[];
  readonly schemas: { readonly Event: JsonSchema; readonly EventPage: JsonSchema };
}

const PLACE: JsonSchema = { ...ID, description: 'A place in the feed, to be sent as `after`.' };

/** Describes the feed that `@items/events` serves. */
export function eventFeedForm(feed: EventFeed): EventFeedForm {
  return { query: queryOf(feed), schemas: { Event: eventOf(feed.example), EventPage: PAGE } };
}

function closed(properties: Readonly<Record<string, JsonSchema>>, required = Object.keys(properties)): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}

function fields(description: string, example: object): JsonSchema {
  return { type: 'object', description, additionalProperties: true, examples: [example] };
}

const PAGE = closed(
  {
    events: { type: 'array', maxItems: MAX_PAGE_SIZE, items: schemaRef('Event') },
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
  ['events', 'limit', 'after'],
);

const optional = (name: string, schema: JsonSchema): QueryParameter => ({ name, required: false, schema });

function eventOf(example: EventExample): JsonSchema {
  return closed({
    id: ID,
    type: {
      type: 'string',
      maxLength: 64,
      description: 'What happened. New kinds may come at any time: ignore those that you do not know.',
      examples: [example.type],
    },
    timestamp: TIME,
    api_version: {
      type: 'string',
      maxLength: 10,
      description: 'The version in whose form `data` is.',
      examples: [example.api_version],
    },
    data: closed(
      {
        object: fields('The resource as the write left it; a deleted one as it last was.', example.data.object),
        previous: fields(
          'Updates and transitions only: the former values of the fields that changed.',
          example.data.previous,
        ),
      },
      ['object'],
    ),
  });
}

function queryOf({ kinds, maxWaitSeconds, example }: EventFeed): readonly QueryParameter[] {
  return [
    optional('after', {
      ...PLACE,
      description: 'Begins behind this place: the `after` of a page, or the id of an event.',
    }),
    optional('wait', {
      type: 'integer',
      format: 'int64',
      minimum: 0,
      maximum: maxWaitSeconds,
      description: 'Seconds for which an empty first page waits for an event. Not with `sort=-timestamp`.',
      examples: [0],
    }),
    optional('type', {
      type: 'string',
      minLength: 1,
      maxLength: 1024,
      description: `Kinds, separated by commas: ${kinds.map((kind) => `\`${kind}\``).join(', ')}.`,
      examples: [example.type.replace(/\..*/, '.*')],
    }),
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
