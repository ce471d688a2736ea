import { defineCollection } from '../../data/definition/define-collection.js';
import type { Webhook } from '@items/dtos/contract';
import { CreateWebhookDto } from '@items/dtos';
import { validSecrets } from '../../access/credentials/secrets/rotating-secrets.js';
import type { HiddenWebhook } from '../deliveries/delivery-rows.js';

/** The column `secrets` has only times; the table `webhook_secrets` has the encrypted secrets. SPEC §6.2 */
export const webhookCollection = defineCollection<CreateWebhookDto, Webhook, HiddenWebhook>({
  name: 'webhooks',
  singular: 'webhook',
  dto: CreateWebhookDto,
  onlyFromPrimary: true,
  hidden: ['user_id', 'key_id', 'client_id', 'maker', 'secrets'],
  derived: { secrets: ({ secrets }) => validSecrets(secrets) },
  defaults: { disabled: false },
  audit: { subject: 'webhook', kinds: ['created', 'updated', 'rotated', 'deleted', 'disabled'] },
  events: {
    subject: 'webhook',
    kinds: ['disabled'],
    // A client that disables a webhook by PUT needs no event, so no reason is set.
    kindOf: (was, is) =>
      was?.disabled_reason === null && is !== undefined && is.disabled_reason !== null ? 'disabled' : null,
    fields: [
      'id',
      'events',
      'description',
      'disabled',
      'disabled_reason',
      'failing_since',
      'delivered_up_to',
      'api_version',
      'created_at',
      'updated_at',
    ],
  },
});
