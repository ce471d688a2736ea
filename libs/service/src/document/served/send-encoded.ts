import type { HttpExchange } from '../../http/nest/http-exchange.js';
import type { FastifyReply } from 'fastify';
import Negotiator from 'negotiator';

import type { Coding, EncodedBody } from './encoded-body.js';

/** Where a client takes several alike, the smaller one first. */
const CODINGS = ['br', 'gzip', 'identity'] as const;

/** As negotiator 1 has it; its types are of the version before. */
interface Negotiation {
  encodings(available: readonly string[], options: { readonly preferred: readonly string[] }): string[];
}

/**
 * 200 with a body in the coding that the client prefers, or 304 where it has that.
 * @param version the current one of the API: of an older one the body is changed on its way out, so it goes uncompressed.
 * @see RFC 9110 §12.5.3
 */
export async function sendEncoded(
  exchange: HttpExchange,
  reply: FastifyReply,
  body: EncodedBody,
  version?: string,
): Promise<Buffer | undefined> {
  const { bytes, etag, coding } = await body.in(codingFor(exchange.request.headers, version));
  // It stands beside that of CORS.
  const others = reply.getHeader('vary');
  reply.header('vary', others === undefined ? 'Accept-Encoding' : `${String(others)}, Accept-Encoding`);
  const sent = exchange.document(etag, bytes);
  if (sent !== undefined && coding !== 'identity') reply.header('content-encoding', coding);
  return sent;
}

function codingFor(headers: Readonly<Record<string, string | string[] | undefined>>, version?: string): Coding {
  const { 'accept-encoding': accepted, 'api-version': asked } = headers;
  if (accepted === undefined || (asked !== undefined && asked !== version)) return 'identity';
  const negotiation = new Negotiator({ headers }) as Negotiation;
  const [best] = negotiation.encodings(CODINGS, { preferred: CODINGS });
  return CODINGS.find((coding) => coding === best) ?? 'identity';
}
