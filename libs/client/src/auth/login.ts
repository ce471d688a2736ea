import type { SessionInput } from '@items/dtos/contract';

import type { CallOptions } from '../client-options.js';
import { IDEMPOTENCY_KEY } from '../header-names.js';
import type { Answer, Send } from '../http/outgoing-request.js';

/**
 * Not retried.
 * @param idempotencyKey Prevents a second session if the caller repeats the login. SPEC §5 Bearer token
 */
export async function login(
  input: SessionInput,
  idempotencyKey: string,
  options: CallOptions,
  send: Send,
): Promise<Answer> {
  const headers = { 'content-type': 'application/json', [IDEMPOTENCY_KEY]: idempotencyKey };
  return send({ method: 'POST', path: 'sessions', headers, body: JSON.stringify(input), ...options });
}
