import type { DeliveryAttempt, DeliveryStatus } from '@items/dtos/contract';
import type { FeedEvent } from '../../feed/event-feed.js';

/** Reason of an attempt: a new event; a due retry; an early retry that probes the receiver; a request; a replay. */
export type Reason = 'first' | 'retry' | 'early' | 'requested' | 'replay';

/** A planned attempt. */
export interface Job {
  readonly reason: Reason;
  readonly eventId: string;
  readonly type: string;
  /** Undefined if the delivery is inserted after the attempt. */
  readonly deliveryId?: string;
  /** Undefined if it is read when it is needed. */
  readonly event?: FeedEvent;
  /** Consecutive failures before it. */
  readonly tries: number;
}

/** A delivery that waits for a retry. */
export interface WaitingDelivery {
  readonly eventId: string;
  readonly type: string;
  /** Undefined until it is inserted. */
  deliveryId?: string;
  readonly tries: number;
  /** Milliseconds since the epoch. */
  readonly dueAt: number;
}

export interface Outcome {
  readonly job: Job;
  /** Undefined without an attempt: the event is gone, or the webhook's creator may no longer read it. */
  readonly attempt?: DeliveryAttempt;
  /** New status of the delivery; undefined: the status before the request. */
  readonly status?: DeliveryStatus;
  /** Milliseconds since the epoch; null: none; undefined: unchanged. */
  readonly nextAttemptAt?: number | null;
  readonly tries?: number;
}
