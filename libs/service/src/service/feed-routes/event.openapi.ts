import { API_VERSION } from '@items/dtos/contract';
import {
  DEFAULT_PAGE_SIZE,
  ExpiredCursorError,
  InvalidCursorError,
  InvalidQueryError,
  TooManyValuesError,
} from '@items/conventions';
import { EventsIncompleteError } from '../../feed/feed-clock.js';
import { EventsOffError } from '../../feed/events.js';
import { MAX_WAIT_SECONDS } from '../../feed/parse-events-query.js';
import { eventFeedForm } from '../../document/description/event-feed-form.js';
import { eventWebhooks } from '../../document/description/event-webhooks.js';
import { json, schemaRef } from '../../document/description/media-types.js';
import type { OperationDescription } from '../../document/description/operation.js';
import { MAX_FILTER_COMBINATIONS } from '@items/paging';

import type { EventTexts } from '../composition/composition.js';
import type { EventReaders } from './event-readers.js';

const TAG = 'Events';
const DISABLED = { after: { disabled: true }, before: { disabled: false, disabled_reason: null } };

const shared = { tag: TAG, errors: [new EventsOffError(), new EventsIncompleteError()] };

export function eventNotes(
  { kinds, emitters }: Pick<EventReaders, 'kinds' | 'emitters'>,
  texts: EventTexts,
): { readonly list: OperationDescription; readonly get: OperationDescription } {
  const { id, type, timestamp, data } = texts.example;
  const example = { id, type, timestamp, api_version: API_VERSION, data };
  const subjects = [...new Set(kinds.map((kind) => kind.replace(/\..*/, '.*')))];
  const form = eventFeedForm({ kinds: [...kinds, ...subjects], maxWaitSeconds: MAX_WAIT_SECONDS, example });
  const changes = { ...texts.changes, 'webhook.disabled': DISABLED };
  const sent = eventWebhooks(emitters, { ...example, apiVersion: API_VERSION, changes });
  const list: OperationDescription = {
    ...shared,
    id: 'listEvents',
    summary: 'List events',
    description:
      `Lists the changes of the resources that you may read, in one order for all clients. No event ever appears
before a position that was served: a client that repeats the request with the last \`after\` follows the feed without
gap or repetition.`.replaceAll('\n', ' '),
    ending: 'plain',
    query: form.query,
    headers: { Link: 'sometimes' },
    content: json(schemaRef('EventPage'), { events: [example], limit: DEFAULT_PAGE_SIZE, after: id }),
    schemas: { ...form.schemas, ...sent.schemas },
    webhooks: sent.webhooks,
    errors: [
      ...shared.errors,
      new InvalidQueryError('page', 'unknown_parameter', '"page" is not a parameter of this list.'),
      new TooManyValuesError(MAX_FILTER_COMBINATIONS),
      new InvalidCursorError(),
      new ExpiredCursorError(),
    ],
  };

  const get: OperationDescription = {
    ...shared,
    id: 'getEvent',
    summary: 'Get an event',
    ending: 'tagged',
    resource: 'event',
    content: json(schemaRef('Event'), example),
    schemas: { Event: form.schemas.Event },
  };
  return { list, get };
}
