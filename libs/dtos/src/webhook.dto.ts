import {
  ATTEMPT_ERRORS,
  DELIVERY_STATUSES,
  DISABLED_REASONS,
  type ReplayInput,
  type WebhookInput,
} from './contract/webhook.js';
import {
  Choice,
  DateTime,
  DefaultsTo,
  Filterable,
  Flag,
  Integer,
  NestedList,
  Optional,
  ReadOnly,
  replacementOf,
  RowId,
  Text,
  Texts,
} from '@items/fields';
import { SecretDto } from './api-key.dto.js';

/** A kind of event, all kinds of a subject, or `*`. */
const PATTERN = /^(?:\*|\w{1,50}\.(?:\*|\w{1,50}))$/;

/** The body of a creation; responses add the read-only fields. SPEC §6.2 */
@ReadOnly('id', 'created_at', 'updated_at', 'secret')
export class CreateWebhookDto implements WebhookInput {
  // Higher than the limit of 2048, so that a longer URL gets the same error as any other unusable URL.
  @Text({
    max: 8192,
    description:
      'Where events are sent: `https`, a public name, no address literal, port 443 or from 1024 on, at most 2048 characters.',
    example: 'https://hooks.example.com/items',
  })
  url!: string;

  @Texts({
    maxItems: 20,
    max: 101,
    each: { matches: PATTERN, expected: 'kinds of events such as item.created, item.* or *' },
    description: 'Which events are sent, at least one: kinds, all of a subject (`item.*`), or all (`*`).',
    example: ['item.*'],
  })
  events!: string[];

  @Optional()
  @Text({ max: 200, description: 'For people.', example: 'Search index' })
  description!: string | null;

  @DefaultsTo(false)
  @Flag({ description: 'Whether nothing is sent. Enabled again, it begins with the next event.', example: false })
  disabled!: boolean;

  @ReadOnly()
  @NestedList(() => SecretDto, {
    min: 0,
    max: 2,
    description: 'The valid secrets, newest first: two while one replaces the other, and both sign.',
  })
  readonly secrets?: undefined;

  @ReadOnly()
  @Optional()
  @Choice(DISABLED_REASONS, { description: 'Why the service has disabled it; null: it has not.', example: 'failing' })
  readonly disabled_reason?: undefined;

  @ReadOnly()
  @Optional()
  @DateTime({
    description:
      'Every attempt since then has failed; may lag by a second. Null: the last attempt succeeded, or there was none.',
  })
  readonly failing_since?: undefined;

  @ReadOnly()
  @Optional()
  @RowId({
    description:
      'The last event up to which all were delivered, or have failed; may lag by some seconds. Null before the first.',
  })
  readonly delivered_up_to?: undefined;

  @ReadOnly()
  @Text({ max: 10, description: 'The API version in whose form events are sent.', example: '2026-11-20' })
  readonly api_version?: undefined;
}

export class ReplaceWebhookDto extends replacementOf(CreateWebhookDto, 'disabled') {}

export class DeliveryAttemptDto {
  @DateTime()
  at!: string;

  @Integer({ min: 0, max: 1_000_000, description: 'Milliseconds until it ended.', example: 38 })
  duration_ms!: number;

  @Optional()
  @Integer({ min: 100, max: 999, description: 'Null: there was no response.', example: 204 })
  status_code!: number | null;

  @Optional()
  @Choice(ATTEMPT_ERRORS, { description: 'Why it has failed; null for a success.', example: 'timeout' })
  error!: string | null;
}

export class DeliveryDto {
  @ReadOnly()
  @RowId({ description: 'The event, and the `webhook-id` that the receiver sees.' })
  readonly event_id?: undefined;

  @ReadOnly()
  @Filterable()
  @Text({ max: 64, description: 'The kind of the event, or `webhook.ping`.', example: 'item.created' })
  readonly type?: undefined;

  @ReadOnly()
  @Filterable()
  @Choice(DELIVERY_STATUSES, {
    description: '`failed`: no more attempts, unless one is requested.',
    example: 'succeeded',
  })
  readonly status?: undefined;

  @ReadOnly()
  @NestedList(() => DeliveryAttemptDto, { min: 0, max: 10, description: 'The last 10, oldest first.' })
  readonly attempts?: undefined;

  @ReadOnly()
  @Optional()
  @DateTime({ description: 'Null: none is planned.' })
  readonly next_attempt_at?: undefined;
}

export class ReplayDto implements ReplayInput {
  @RowId({ description: 'Events after this position are sent again: the `after` of a page, or the id of an event.' })
  after!: string;

  @Optional()
  @Choice(['failed'], { description: 'Only those whose delivery has failed. Null: all.', example: 'failed' })
  only!: 'failed' | null;
}
