import { DeliveryDto } from '@items/dtos';
import { ExpiredCursorError, ResourceNotFoundError } from '@items/conventions';
import { EventsOffError } from '../../feed/events.js';
import type { JsonSchema } from '@items/fields';
import { WebhookUrlError } from '../sending/check-url.js';
import type { CollectionDescription } from '../../document/description/collection-description.js';
import { exampleOf } from '../../document/description/example.js';
import { ID, resourceSchema } from '../../document/description/resource-schemas.js';
import { json, schemaRef } from '../../document/description/media-types.js';
import type { OperationDescription } from '../../document/description/operation.js';

import { tooManyPings, webhookDisabled } from './deliveries.service.js';
import { tooManyWebhooks } from './webhooks.service.js';

const TAG = 'Webhooks';
const NO_WEBHOOK = new ResourceNotFoundError('webhook');
const URL_ERRORS = [
  new WebhookUrlError({ code: 'invalid_url', message: 'The URL must begin with "https://".' }),
  new WebhookUrlError({ code: 'forbidden_address', message: 'This address is not allowed.' }),
];

export const webhookDescription: CollectionDescription = {
  secrets: {
    secret: {
      type: 'string',
      maxLength: 50,
      pattern: '^whsec_[A-Za-z0-9+/]{43}=$',
      description: 'The secret itself, by which events are signed: shown once, stored encrypted.',
      examples: [`whsec_${'0'.repeat(43)}=`],
    },
  },
  rotation: {
    id: 'rotateWebhook',
    summary: 'Give a webhook a new secret',
    description: 'The former secret also signs until its grace period ends. Only this response shows the new one.',
    errors: [new EventsOffError()],
  },
  replaces:
    'Replaces the sent fields; an omitted `disabled` is unchanged. A webhook that is enabled again begins with the next event.',
  errors: [new EventsOffError()],
  writeErrors: [...URL_ERRORS, tooManyWebhooks()],
};

const DELIVERY = resourceSchema(DeliveryDto);

export const pingOperation: OperationDescription = {
  tag: TAG,
  id: 'pingWebhook',
  summary: 'Send a ping to a webhook',
  description:
    'Sends a `webhook.ping`, once, also while the webhook is disabled; at most 20 are in progress. It is no event of the feed.',
  ending: 'created',
  content: json(schemaRef('Delivery'), exampleOf(DELIVERY)),
  errors: [NO_WEBHOOK, tooManyPings(), new EventsOffError()],
};

export const attemptOperation: OperationDescription = {
  tag: 'Deliveries',
  id: 'attemptDelivery',
  summary: 'Send an event once more',
  description: 'Sends the event immediately, even after success. The time of the next attempt is unchanged.',
  ending: 'created',
  content: json(schemaRef('Delivery'), exampleOf(DELIVERY)),
  errors: [NO_WEBHOOK, new ResourceNotFoundError('delivery'), webhookDisabled(), tooManyPings(), new EventsOffError()],
};

const REPLAY: JsonSchema = {
  type: 'object',
  properties: {
    after: { ...ID, description: 'Events after this position are sent again.' },
    only: {
      type: ['string', 'null'],
      enum: ['failed', null],
      description: 'Whether only failed deliveries are sent again.',
      examples: ['failed'],
    },
    up_to: {
      ...ID,
      type: ['string', 'null'],
      description: 'The last event that is sent again; later ones are sent anyway. Null: none was sent so far.',
    },
  },
  required: ['after', 'only', 'up_to'],
  additionalProperties: false,
};

export const replayOperation: OperationDescription = {
  tag: TAG,
  id: 'replayWebhook',
  summary: 'Send events again',
  description: 'Sends the events after a position again that were sent already, in the order of the feed.',
  ending: 'created',
  content: json(schemaRef('Replay'), exampleOf(REPLAY)),
  schemas: { Replay: REPLAY },
  errors: [NO_WEBHOOK, webhookDisabled(), new ExpiredCursorError(), new EventsOffError()],
};
