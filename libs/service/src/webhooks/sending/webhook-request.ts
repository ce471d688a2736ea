import { createHmac } from 'node:crypto';

import type { Dispatcher } from 'undici';
import type { Attempt } from './attempt.js';
import type { Target } from './check-url.js';

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

const SECRET = /^whsec_([A-Za-z0-9+/]{4,}={0,2})$/;

/**
 * `webhook-signature` of Standard Webhooks 1.0.0: HMAC-SHA256 over `id.timestamp.body`, one for each secret.
 * @param secrets `whsec_` and the key in base64.
 * @param timestamp `webhook-timestamp`, in whole seconds since the epoch.
 * @throws {TypeError} a malformed secret. The message omits the secret.
 */
function signaturesOf(secrets: readonly string[], id: string, timestamp: number, body: string): string {
  return secrets.map((secret) => `v1,${hmac(keyOf(secret), `${id}.${timestamp}.${body}`)}`).join(' ');
}

function hmac(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text, 'utf8').digest('base64');
}

function keyOf(secret: string): Buffer {
  const [, key] = SECRET.exec(secret) ?? [];
  if (key === undefined) throw new TypeError('A secret must be "whsec_" and a key in base64.');
  return Buffer.from(key, 'base64');
}
