/** What a client sends to create a webhook; on replacement, `disabled` stays as it is where it is left out. SPEC §6.2 */
export interface WebhookInput {
  /** Where events are sent: `https`, a public name, at most 2048 characters. */
  readonly url: string;
  /** 1–20 of the kinds of events, `item.*`, `*`. */
  readonly events: readonly string[];
  /** At most 200 code points. */
  readonly description?: string | null;
  readonly disabled?: boolean;
}

/** One of at most two secrets of a webhook that sign at once. */
export interface WebhookSecret {
  readonly created_at: string;
  /** When its grace ends; null for the current one. */
  readonly expires_at: string | null;
}

/** Why the service has disabled a webhook: no success for too long, or the receiver said 410. */
export const DISABLED_REASONS = ['failing', 'gone'] as const;
/** One of {@link DISABLED_REASONS}. */
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** A webhook as the service shows it; a secret is shown only in the answers to creation and rotation. SPEC §6.2 */
export interface Webhook extends Required<WebhookInput> {
  readonly id: string;
  /** The valid ones, newest first. */
  readonly secrets: readonly WebhookSecret[];
  /** Null where the service has not disabled it. */
  readonly disabled_reason: DisabledReason | null;
  /** Since when every attempt has failed; null where the last one has not. */
  readonly failing_since: string | null;
  /** The last event up to which all were delivered, or have failed; null before the first one. */
  readonly delivered_up_to: string | null;
  /** In whose form events are sent: that of the request which created it. */
  readonly api_version: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The answer to the creation of a webhook, and to a rotation. SPEC §6.2 */
export interface CreatedWebhook extends Webhook {
  /** The secret itself, `whsec_…`: shown once, stored encrypted. */
  readonly secret: string;
}

/** What has become of an event on its way to a webhook. */
export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed'] as const;
/** One of {@link DELIVERY_STATUSES}. */
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Why an attempt has failed. */
export const ATTEMPT_ERRORS = ['timeout', 'dns', 'connect', 'tls', 'forbidden_address', 'status'] as const;

/** One request to the receiver. */
export interface DeliveryAttempt {
  readonly at: string;
  readonly duration_ms: number;
  /** Null where no answer came. */
  readonly status_code: number | null;
  /** Null for a success. */
  readonly error: (typeof ATTEMPT_ERRORS)[number] | null;
}

/** An event on its way to a webhook. SPEC §6.2 */
export interface Delivery {
  readonly id: string;
  /** The event's id, which the receiver sees as `webhook-id`. */
  readonly event_id: string;
  readonly type: string;
  readonly status: DeliveryStatus;
  /** The last 10, oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
  /** Null where none is planned. */
  readonly next_attempt_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The body of `POST /webhooks/{id}/replays`. SPEC §6.2 */
export interface ReplayInput {
  /** The place behind which events are sent again. */
  readonly after: string;
  /** Only those whose delivery has failed; null for all. */
  readonly only?: 'failed' | null;
}

/** The answer to a replay. SPEC §6.2 */
export interface Replay extends Required<ReplayInput> {
  /** The last event that is sent again; null where nothing was sent so far. */
  readonly up_to: string | null;
}
