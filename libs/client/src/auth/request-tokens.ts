import type { SessionInput } from '@items/dtos/contract';
import type { Answer, OutgoingRequest, Send } from '../http/outgoing-request.js';
import type { Tokens } from './auth.js';
import type { CallOptions } from '../client-options.js';
import { IDEMPOTENCY_KEY } from '../header-names.js';

/** Not retried. RFC 6749 §5.1, appendix B */
export async function requestTokens(
  send: Send,
  fields: Readonly<Record<string, string>>,
  rest: Pick<OutgoingRequest, 'credential' | 'signal'>,
): Promise<Tokens> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = String(new URLSearchParams(fields));
  const response = await send({ method: 'POST', path: 'oauth/token', headers, body, ...rest });
  return response.body as unknown as Tokens;
}

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
