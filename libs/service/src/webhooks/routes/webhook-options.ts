import type { Visibility } from '../../feed/visibility.js';

import type { Reader } from './creator-rights.js';

export interface WebhookOptions {
  readonly kinds: readonly string[];
  /** Returns the events that a principal may see. */
  readonly visibilityOf: (reader: Reader) => Visibility;
}

/** Token under which Nest injects the {@link WebhookOptions}. */
export const WEBHOOK_OPTIONS = Symbol('WEBHOOK_OPTIONS');
