/**
 * The body to create or replace a webhook; on replacement, an omitted `disabled` stays unchanged.
 * SPEC §6.2
 */
export interface WebhookInput {
  /** Receiver of the events: `https`, a public name, at most 2048 characters. */
  readonly url: string;
  /** 1–20 kinds of events, `item.*`, or `*`. */
  readonly events: readonly string[];
  /** At most 200 code points. */
  readonly description?: string | null;
  readonly disabled?: boolean;
}

/** A secret of a webhook; at most two sign at the same time. */
export interface WebhookSecret {
  readonly created_at: string;
  /** End of the grace period; null for the current secret. */
  readonly expires_at: string | null;
}

/** Why the service disabled a webhook: no success for too long, or the receiver answered 410. */
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

/** The response to the creation of a webhook, and to a rotation. SPEC §6.2 */
export interface CreatedWebhook extends Webhook {
  /** The secret, `whsec_…`: shown once, stored encrypted. */
  readonly secret: string;
}

/** Statuses of a delivery. */
export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export const ATTEMPT_ERRORS = ['timeout', 'dns', 'connect', 'tls', 'forbidden_address', 'status'] as const;

export interface DeliveryAttempt {
  readonly at: string;
  readonly duration_ms: number;
  /** Null without a response. */
  readonly status_code: number | null;
  readonly error: (typeof ATTEMPT_ERRORS)[number] | null;
}

/** The delivery of an event to a webhook. SPEC §6.2 */
export interface Delivery {
  readonly id: string;
  /** The id of the event; the receiver gets it as `webhook-id`. */
  readonly event_id: string;
  readonly type: string;
  readonly status: DeliveryStatus;
  /** The last 10, oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
  /** Null if no attempt is planned. */
  readonly next_attempt_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The body of `POST /webhooks/{id}/replays`. SPEC §6.2 */
export interface ReplayInput {
  /** Position in the feed; later events are sent again. */
  readonly after: string;
  /** `failed`: only failed deliveries; null: all. */
  readonly only?: 'failed' | null;
}

/** The response to a replay. SPEC §6.2 */
export interface Replay extends Required<ReplayInput> {
  /** The last event sent again; null if none was sent. */
  readonly up_to: string | null;
}
