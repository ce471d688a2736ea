import type { Visibility } from '../../feed/visibility.js';

import type { Reader } from './creator-rights.js';

export interface WebhookOptions {
  readonly kinds: readonly string[];
  readonly visibilityOf: (reader: Reader) => Visibility;
}

export const WEBHOOK_OPTIONS = Symbol('WEBHOOK_OPTIONS');
