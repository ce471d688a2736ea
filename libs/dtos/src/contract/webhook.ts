import type { Resource } from './resource.js';

/** The body to create or replace a webhook; on replacement, an omitted `disabled` stays unchanged. SPEC §6.2 */
export interface WebhookInput {
  /** Receiver of the events: `https`, a public name, at most 2048 characters. */
  readonly url: string;
  /** 1–20 kinds of events, `item.*`, or `*`. */
  readonly events: readonly string[];
  readonly description?: string | null;
  readonly disabled?: boolean;
}

/** A secret of a webhook. At most two are valid, and each signs every request. */
export interface WebhookSecret {
  readonly created_at: string;
  /** End of the grace period; null for the current secret. */
  readonly expires_at: string | null;
}

/** `failing`: no success for too long; `gone`: the receiver answered 410. */
export const DISABLED_REASONS = ['failing', 'gone'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** A webhook in a response. Only the responses to creation and rotation contain the secret. SPEC §6.2 */
export interface Webhook extends Resource, Required<WebhookInput> {
  /** Secrets that are valid, newest first. */
  readonly secrets: readonly WebhookSecret[];
  /** Null if the service has not disabled the webhook. */
  readonly disabled_reason: DisabledReason | null;
  /** Start of continuous failure; null if the last attempt did not fail. */
  readonly failing_since: string | null;
  /** The last event up to which each delivery has succeeded or finally failed; null before the first. */
  readonly delivered_up_to: string | null;
  /** API version of sent events: the version of the request that created the webhook. */
  readonly api_version: string;
}

/** The response to the creation of a webhook, and to a rotation. SPEC §6.2 */
export interface CreatedWebhook extends Webhook {
  /** The secret, `whsec_…`: shown once, stored encrypted. */
  readonly secret: string;
}

export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export const ATTEMPT_ERRORS = ['timeout', 'dns', 'connect', 'tls', 'forbidden_address', 'status'] as const;

export interface DeliveryAttempt {
  readonly at: string;
  readonly duration_ms: number;
  readonly status_code: number | null;
  readonly error: (typeof ATTEMPT_ERRORS)[number] | null;
}

export interface Delivery extends Resource {
  /** The id of the event; the receiver gets it as `webhook-id`. */
  readonly event_id: string;
  readonly type: string;
  readonly status: DeliveryStatus;
  /** At most the last 10 attempts, oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
  /** Null if no attempt is planned. */
  readonly next_attempt_at: string | null;
}

/** The body of `POST /webhooks/{id}/replays`. SPEC §6.2 */
export interface ReplayInput {
  /** Position in the feed; later events are sent again. */
  readonly after: string;
  /** `failed`: only events whose delivery failed; null: all. */
  readonly only?: 'failed' | null;
}

export interface Replay extends Required<ReplayInput> {
  /** The last event sent again; null if none was sent. */
  readonly up_to: string | null;
}
