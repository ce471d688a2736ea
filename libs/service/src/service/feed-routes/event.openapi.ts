import { API_VERSION } from '@items/dtos/contract';
import type { JsonSchema } from '@items/fields';

import { eventWebhooks } from '../../document/description/event-webhooks.js';
import { feedOperations } from '../../document/description/feed-operations.js';
import { closed, ID, TIME } from '../../document/description/resource-schemas.js';
import { EventsOffError } from '../../feed/events.js';
import { EventsIncompleteError } from '../../feed/feed-clock.js';
import type { EventTexts } from '../composition/composition.js';
import type { EventReaders } from './event-readers.js';

const DISABLED = { after: { disabled: true }, before: { disabled: false, disabled_reason: null } };

export function eventNotes(
  { kinds, readers }: Pick<EventReaders, 'kinds' | 'readers'>,
  texts: EventTexts,
): ReturnType<typeof feedOperations> {
  const { id, type, timestamp, data } = texts.example;
  const example = { id, type, timestamp, api_version: API_VERSION, data };
  const subjectOf = (kind: string): string => kind.replace(/\..*/, '.*');
  const { list, get } = feedOperations({
    tag: 'Events',
    singular: 'event',
    description:
      `Lists the changes of the resources that you may read, in one order for all clients. No event ever appears
before a position that was served: a client that repeats the request with the last \`after\` follows the feed without
gap or repetition.`.replaceAll('\n', ' '),
    kinds: [...kinds, ...new Set(kinds.map(subjectOf))].map((kind) => `\`${kind}\``).join(', '),
    exampleType: subjectOf(type),
    example,
    pageExample: [example],
    schema: eventOf(example),
    errors: [new EventsOffError(), new EventsIncompleteError()],
  });
  const changes = { ...texts.changes, 'webhook.disabled': DISABLED };
  const { schemas, webhooks } = eventWebhooks(readers, { ...example, apiVersion: API_VERSION, changes });
  return { list: { ...list, schemas: { ...list.schemas, ...schemas }, webhooks }, get };
}

function fields(description: string, example: object): JsonSchema {
  return { type: 'object', description, additionalProperties: true, examples: [example] };
}

function eventOf(example: EventTexts['example'] & { readonly api_version: string }): JsonSchema {
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
