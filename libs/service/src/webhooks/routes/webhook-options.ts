import type { Visibility } from '../../feed/visibility.js';

import type { Reader } from './creator-rights.js';

/** Which events webhooks get. */
export interface WebhookOptions {
  /** All kinds of events. */
  readonly kinds: readonly string[];
  /** What somebody may see of them. */
  readonly visibilityOf: (reader: Reader) => Visibility;
}

/** Token under which Nest injects the {@link WebhookOptions}. */
export const WEBHOOK_OPTIONS = Symbol('WEBHOOK_OPTIONS');
