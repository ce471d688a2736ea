import type { DeliveryAttempt, DeliveryStatus } from '@items/dtos/contract';
import type { FeedEvent } from '../../feed/event-feed.js';

/** `early`: a retry before it is due, to probe the receiver or catch up after a success. */
export type Reason = 'first' | 'retry' | 'early' | 'requested' | 'replay';

export interface Job {
  readonly reason: Reason;
  readonly eventId: string;
  readonly type: string;
  /** Undefined until the delivery is inserted, after the attempt. */
  readonly deliveryId?: string | undefined;
  readonly event?: FeedEvent;
  readonly tries: number;
}

export interface Outcome {
  readonly job: Job;
  /** Undefined if nothing was sent: the event was deleted or deselected, or the creator may no longer read it. */
  readonly attempt?: DeliveryAttempt;
  /** Undefined: unchanged. */
  readonly status?: DeliveryStatus;
  /** Milliseconds since the epoch; null for no retry; undefined for no change. */
  readonly nextAttemptAt?: number | null;
  /** Undefined: unchanged. */
  readonly tries?: number;
}
