import type { DeliveryAttempt, DeliveryStatus } from '@items/dtos/contract';
import type { FeedEvent } from '../../feed/event-feed.js';

/** `early` probes the receiver before the retry is due. */
export type Reason = 'first' | 'retry' | 'early' | 'requested' | 'replay';

export interface Job {
  readonly reason: Reason;
  readonly eventId: string;
  readonly type: string;
  /** Undefined if no delivery exists yet: it is inserted after the attempt. */
  readonly deliveryId?: string | undefined;
  readonly event?: FeedEvent;
  readonly tries: number;
}

export interface Outcome {
  readonly job: Job;
  /** Undefined if nothing was sent: the event was deleted or deselected, or the creator may no longer read it. */
  readonly attempt?: DeliveryAttempt;
  /** Undefined leaves the status of the delivery unchanged. */
  readonly status?: DeliveryStatus;
  /** Milliseconds since the epoch; null: no retry. Undefined leaves this field or `tries` unchanged. */
  readonly nextAttemptAt?: number | null;
  readonly tries?: number;
}
