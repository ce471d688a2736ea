import { API_VERSION, ORDER_TRANSITIONS } from '@items/contracts';
import { DEFAULT_PAGE_SIZE, MAX_CURSOR_LENGTH, MAX_PAGE_SIZE } from '@items/conventions';
import { ExpiredCursorError, InvalidCursorError, InvalidQueryError } from '@items/errors';
import { EventsIncompleteError, EventsOffError, MAX_WAIT_SECONDS } from '@items/events';
import type { JsonSchema } from '@items/fields';
import {
  eventWebhooks,
  ID,
  json,
  type OperationDescription,
  type QueryParameter,
  schemaRef,
  TIME,
} from '@items/openapi';

import { EMITTERS, EVENT_KINDS } from './event-readers.js';

const TAG = 'Events';
const SUBJECTS = [...new Set(EVENT_KINDS.map((kind) => kind.replace(/\..*/, '.*')))];
const PLACE: JsonSchema = { ...ID, description: 'A place in the feed, to be sent as `after`.' };

function closed(properties: Readonly<Record<string, JsonSchema>>, required = Object.keys(properties)): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}

function fields(description: string, example: object): JsonSchema {
  return { type: 'object', description, additionalProperties: true, examples: [example] };
}

const EXAMPLE = {
  id: '019a9f59-d380-7000-9a17-3c5e2b7d8f40',
  type: 'item.updated',
  timestamp: '2026-11-20T10:00:00.000Z',
  api_version: API_VERSION,
  data: {
    object: {
      id: '019a9f3e-5c7a-7d31-8b52-0e6a4f1c9d27',
      name: 'Blue mug',
      description: null,
      color: 'blue',
      price: 12.5,
      created_at: '2026-11-20T09:30:00.000Z',
      updated_at: '2026-11-20T10:00:00.000Z',
    },
    previous: { price: 9.99, updated_at: '2026-11-20T09:30:00.000Z' },
  },
};

const EVENT = closed({
  id: ID,
  type: {
    type: 'string',
    maxLength: 64,
    description: 'What happened. New kinds may come at any time: ignore those that you do not know.',
    examples: ['item.updated'],
  },
  timestamp: TIME,
  api_version: {
    type: 'string',
    maxLength: 10,
    description: 'The version in whose form `data` is.',
    examples: [API_VERSION],
  },
  data: closed(
    {
      object: fields('The resource as the write left it; a deleted one as it last was.', EXAMPLE.data.object),
      previous: fields(
        'Updates and transitions only: the former values of the fields that changed.',
        EXAMPLE.data.previous,
      ),
    },
    ['object'],
  ),
});

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

const QUERY: readonly QueryParameter[] = [
  optional('after', {
    ...PLACE,
    description: 'Begins behind this place: the `after` of a page, or the id of an event.',
  }),
  optional('wait', {
    type: 'integer',
    format: 'int64',
    minimum: 0,
    maximum: MAX_WAIT_SECONDS,
    description: 'Seconds for which an empty first page waits for an event. Not with `sort=-timestamp`.',
    examples: [0],
  }),
  optional('type', {
    type: 'string',
    minLength: 1,
    maxLength: 1024,
    description: `Kinds, separated by commas: ${[...EVENT_KINDS, ...SUBJECTS].map((kind) => `\`${kind}\``).join(', ')}.`,
    examples: ['item.*'],
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

/** What changes with each status of an order, from one that allows it; and when a webhook is disabled. */
const CHANGES = {
  ...Object.fromEntries(
    Object.entries(ORDER_TRANSITIONS).flatMap(([from, next]) =>
      next.map((to) => [`order.${to}`, { after: { status: to }, before: { status: from } }] as const),
    ),
  ),
  'webhook.disabled': { after: { disabled: true }, before: { disabled: false, disabled_reason: null } },
};

/** Every kind of event, as webhooks get it. SPEC §6.2 */
const SENT = eventWebhooks(EMITTERS, { ...EXAMPLE, apiVersion: API_VERSION, changes: CHANGES });

const shared = { tag: TAG, errors: [new EventsOffError(), new EventsIncompleteError()] };

/** What the documentation says of the feed. SPEC §6.1 */
export const eventsNotes: OperationDescription = {
  ...shared,
  id: 'listEvents',
  summary: 'List events',
  description:
    `What happened to the resources that you may read, in one order that is the same for everybody. Nothing ever
appears before a place that was served: a client that repeats the request with the last \`after\` follows the feed without
gap or repetition.`.replaceAll('\n', ' '),
  ending: 'plain',
  query: QUERY,
  headers: { Link: 'sometimes' },
  content: json(schemaRef('EventPage'), { events: [EXAMPLE], limit: DEFAULT_PAGE_SIZE, after: EXAMPLE.id }),
  schemas: { EventPage: PAGE, Event: EVENT, ...SENT.schemas },
  webhooks: SENT.webhooks,
  errors: [
    ...shared.errors,
    new InvalidQueryError('page', 'unknown_parameter', '"page" is not a parameter of this list.'),
    new InvalidCursorError(),
    new ExpiredCursorError(),
  ],
};

/** What the documentation says of one event. */
export const eventNotes: OperationDescription = {
  ...shared,
  id: 'getEvent',
  summary: 'Get an event',
  ending: 'tagged',
  resource: 'event',
  content: json(schemaRef('Event'), EXAMPLE),
  schemas: { Event: EVENT },
};
