import type { CreatedSession, SessionInput } from '@items/contracts';
import { HEADER } from '@items/conventions';

import type { CallOptions } from '../client-options.js';
import type { Send } from '../http/outgoing-request.js';

/** Logs in, once. @param idempotencyKey keeps a repetition from making a second session. SPEC §5 Bearer token */
export async function login(
  input: SessionInput,
  idempotencyKey: string,
  options: CallOptions,
  send: Send,
): Promise<CreatedSession> {
  const headers = { 'content-type': 'application/json', [HEADER.idempotencyKey]: idempotencyKey };
  const { body } = await send({ method: 'POST', path: 'sessions', headers, body: JSON.stringify(input), ...options });
  return body as unknown as CreatedSession;
}
