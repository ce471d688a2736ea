import { defineCollection } from '../../data/definition/define-collection.js';
import type { Webhook } from '@items/dtos/contract';
import { CreateWebhookDto } from '@items/dtos';
import { liveSecrets } from '../definition/webhook-secrets.js';
import type { HiddenWebhook } from '../deliveries/delivery-rows.js';

/** What the collection of webhooks says about itself; the secrets stand in `webhook_secrets`, encrypted. SPEC §6.2 */
export const webhookCollection = defineCollection<CreateWebhookDto, Webhook, HiddenWebhook>({
  name: 'webhooks',
  singular: 'webhook',
  dto: CreateWebhookDto,
  onlyFromPrimary: true,
  hidden: ['user_id', 'key_id', 'client_id', 'maker', 'secrets'],
  derived: { secrets: ({ secrets }) => liveSecrets(secrets) },
  defaults: { disabled: false },
  audit: { subject: 'webhook', kinds: ['created', 'updated', 'rotated', 'deleted', 'disabled'] },
  events: {
    subject: 'webhook',
    kinds: ['disabled'],
    // Only what the service does by itself: what a PUT does is known to who sent it.
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
