import type { Visibility } from '../events/visibility.js';

import type { Reader } from './creator-rights.js';

/** What webhooks are told of events. */
export interface WebhookOptions {
  /** All kinds of events. */
  readonly kinds: readonly string[];
  /** What somebody may see of them. */
  readonly visibilityOf: (reader: Reader) => Visibility;
}

/** Token under which Nest injects the {@link WebhookOptions}. */
export const WEBHOOK_OPTIONS = Symbol('WEBHOOK_OPTIONS');
