import type { OutgoingRequest, Send } from '../http/outgoing-request.js';
import type { Tokens } from './auth.js';

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
