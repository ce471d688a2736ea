import type { DeliveryAttempt, DeliveryStatus } from '@items/dtos/contract';
import type { FeedEvent } from '../../feed/event-feed.js';

/**
 * Why an attempt is made: for a new event; because its time has come; before its time, to see whether the receiver is
 * back; because somebody has requested it; or in a replay.
 */
export type Reason = 'first' | 'retry' | 'early' | 'requested' | 'replay';

/** One attempt that is to be made. */
export interface Job {
  readonly reason: Reason;
  readonly eventId: string;
  readonly type: string;
  /** Undefined where the delivery is written when the attempt is over. */
  readonly deliveryId?: string;
  /** Undefined where it is read when it is needed. */
  readonly event?: FeedEvent;
  /** Failures in turn before it. */
  readonly tries: number;
}

/** A delivery that waits for a retry. */
export interface WaitingDelivery {
  readonly eventId: string;
  readonly type: string;
  /** Undefined until it is written. */
  deliveryId?: string;
  readonly tries: number;
  /** Milliseconds since the epoch. */
  readonly dueAt: number;
}

/** What has become of a job. */
export interface Outcome {
  readonly job: Job;
  /** Undefined where none was made, since the event is gone or may no longer be read by the webhook's creator. */
  readonly attempt?: DeliveryAttempt;
  /** What the delivery becomes; undefined: what it was before the request. */
  readonly status?: DeliveryStatus;
  /** Milliseconds since the epoch; null for none, undefined: as it was. */
  readonly nextAttemptAt?: number | null;
  readonly tries?: number;
}
