import type { JsonSchema } from '@items/fields';

import { closed, type FeedForm, feedQuery, pageOf } from './feed-form.js';
import { ID, TIME } from './resource-schemas.js';

export interface EventExample {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly api_version: string;
  readonly data: { readonly object: object; readonly previous: object };
}

export interface EventFeed {
  readonly kinds: readonly string[];
  readonly maxWaitSeconds: number;
  readonly example: EventExample;
}

export function eventFeedForm({ kinds, maxWaitSeconds, example }: EventFeed): FeedForm<'Event' | 'EventPage'> {
  const exampleType = example.type.replace(/\..*/, '.*');
  return {
    query: feedQuery({
      kinds: kinds.map((kind) => `\`${kind}\``).join(', '),
      maxWaitSeconds,
      exampleType,
      member: 'an event',
    }),
    schemas: { Event: eventOf(example), EventPage: pageOf('events', 'Event') },
  };
}

function fields(description: string, example: object): JsonSchema {
  return { type: 'object', description, additionalProperties: true, examples: [example] };
}

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
