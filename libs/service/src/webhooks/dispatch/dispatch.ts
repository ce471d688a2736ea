import type { DisabledReason } from '@items/dtos/contract';
import type { Events } from '../../feed/events.js';
import type { FeedEvent } from '../../feed/event-feed.js';
import type { Visibility } from '../../feed/visibility.js';
import type { Database } from '../../data/database/database.js';
import type { WarningLog } from '../../data/background/background-work.js';

import type { DeliveryRows, WebhookRows } from '../deliveries/delivery-rows.js';
import type { Attempt, AttemptResult } from '../sending/attempt.js';
import type { Clock } from './clock.js';
import type { RetryPolicy } from '../../runtime/config/retry-policy.js';

/** What sends; the lib's `WebhookSender` does, tests have another. */
export interface Sender {
  attempt(attempt: Attempt): Promise<AttemptResult>;
}

/** What all webhooks of an instance share. */
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
  /** The event in the form of a version; as it is where it is left out. */
  readonly inForm?: (event: FeedEvent, apiVersion: string) => FeedEvent;
  /** Called for each webhook that the service has disabled, or taken away with its creator. */
  readonly onEnd?: (webhookId: string, reason: DisabledReason | 'creator_gone') => void;
  /** Called for each attempt that is over. */
  readonly onAttempt?: (result: 'succeeded' | 'failed') => void;
}

/** What a webhook is at the moment. */
export interface RunnerConfig {
  readonly url: string;
  readonly apiVersion: string;
  readonly disabled: boolean;
  /** Kinds that are asked for; undefined for all. */
  readonly types: readonly string[] | undefined;
  /** What its creator may read; undefined where nothing is to be sent. */
  readonly visible: Visibility | undefined;
  readonly secrets: readonly { readonly secret: string; readonly expiresAt: number | null }[];
}
