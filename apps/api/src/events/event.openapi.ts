import { API_VERSION, ORDER_TRANSITIONS } from '@items/contracts';
import { DEFAULT_PAGE_SIZE } from '@items/conventions';
import { ExpiredCursorError, InvalidCursorError, InvalidQueryError } from '@items/errors';
import { EventsIncompleteError, EventsOffError, MAX_WAIT_SECONDS } from '@items/events';
import { eventFeedForm, eventWebhooks, json, type OperationDescription, schemaRef } from '@items/openapi';

import { EMITTERS, EVENT_KINDS } from './event-readers.js';

const TAG = 'Events';
const SUBJECTS = [...new Set(EVENT_KINDS.map((kind) => kind.replace(/\..*/, '.*')))];
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

const FORM = eventFeedForm({
  kinds: [...EVENT_KINDS, ...SUBJECTS],
  maxWaitSeconds: MAX_WAIT_SECONDS,
  example: EXAMPLE,
});

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
  query: FORM.query,
  headers: { Link: 'sometimes' },
  content: json(schemaRef('EventPage'), { events: [EXAMPLE], limit: DEFAULT_PAGE_SIZE, after: EXAMPLE.id }),
  schemas: { ...FORM.schemas, ...SENT.schemas },
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
  schemas: { Event: FORM.schemas.Event },
};
