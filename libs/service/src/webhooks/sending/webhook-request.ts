import type { Dispatcher } from 'undici';

import type { Attempt } from './attempt.js';
import type { Target } from './judge-url.js';
import { signaturesOf } from './signatures.js';

/** undici does not follow redirects. @throws {TypeError} a malformed secret. */
export function requestOf(attempt: Attempt, { origin, path }: Target): Dispatcher.DispatchOptions {
  const { eventId, body } = attempt;
  const timestamp = Math.floor(attempt.at.getTime() / 1000);
  return {
    origin,
    path,
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'api-version': attempt.apiVersion,
      'user-agent': attempt.userAgent,
      'webhook-id': eventId,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signaturesOf(attempt.secrets, eventId, timestamp, body),
    },
  };
}
