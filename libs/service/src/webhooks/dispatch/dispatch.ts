import type { Events } from '../../feed/events.js';
import type { FeedEvent } from '../../feed/event-feed.js';
import type { Visibility } from '../../feed/visibility.js';
import type { Database } from '../../data/database/database.js';
import type { WarningLog } from '../../data/background/background-work.js';

import type { DeliveryRows, WebhookRows } from '../deliveries/delivery-rows.js';
import type { Attempt, AttemptResult } from '../sending/attempt.js';
import type { RetryPolicy } from '../../runtime/config/config.js';

export interface Clock {
  now(): number;
  /** In milliseconds; continues while the process is suspended. */
  monotonic(): number;
  random(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  random: () => Math.random(),
};

export interface Sender {
  attempt(attempt: Attempt): Promise<AttemptResult>;
}

export interface Dispatch {
  readonly database: Database;
  readonly events: Pick<Events, 'isOn' | 'segment' | 'get' | 'endBeyond'>;
  readonly webhooks: WebhookRows;
  readonly deliveries: DeliveryRows;
  readonly sender: Sender;
  readonly policy: RetryPolicy;
  readonly userAgent: string;
  readonly clock: Clock;
  readonly log: WarningLog;
  /** Translates the event to an API version. Default: returns it unchanged. */
  readonly inVersion?: (event: FeedEvent, apiVersion: string) => FeedEvent;
  readonly onAttempt?: (result: 'succeeded' | 'failed') => void;
}

export interface WantedEvents {
  /** Undefined for all types. */
  readonly types: readonly string[] | undefined;
  /** Events that the webhook's creator may read. */
  readonly visible: Visibility;
}

export interface RunnerConfig extends Pick<WantedEvents, 'types'> {
  readonly url: string;
  readonly apiVersion: string;
  readonly disabled: boolean;
  /** Undefined if nothing may be sent. */
  readonly visible: Visibility | undefined;
  readonly secrets: readonly { readonly secret: string; readonly expiresAt: number | null }[];
}
