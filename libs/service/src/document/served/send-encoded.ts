import { RouteNotFoundError } from '@items/conventions';
import type { CollectionExchange } from '../../http/nest/collection-exchange.js';
import type { FastifyReply } from 'fastify';
import Negotiator from 'negotiator';

import type { Coding, EncodedBody } from './encoded-body.js';

/** Content codings, smallest result first, for clients without a preference. */
const CODINGS = ['br', 'gzip', 'identity'] as const;

/** Types of negotiator 1; `@types/negotiator` describes an older version. */
interface Negotiation {
  encodings(available: readonly string[], options: { readonly preferred: readonly string[] }): string[];
}

/**
 * Sends 200 with a body in the preferred coding, or 304.
 * @param version Current API version. For an older version, the body is translated later, so it is not compressed.
 * @see RFC 9110 §12.5.3
 */
export async function sendEncoded(
  exchange: CollectionExchange,
  reply: FastifyReply,
  body: EncodedBody,
  version?: string,
): Promise<Buffer | undefined> {
  const { bytes, etag, coding } = await body.in(codingFor(exchange.request.headers, version));
  // Add to the `Vary` that CORS may have set.
  const others = reply.getHeader('vary');
  reply.header('vary', others === undefined ? 'Accept-Encoding' : `${String(others)}, Accept-Encoding`);
  const sent = exchange.document(etag, bytes);
  if (sent !== undefined && coding !== 'identity') reply.header('content-encoding', coding);
  return sent;
}

/** A file whose name contains the hash of its bytes, so that it may be cached forever. */
export interface HashedFile {
  readonly name: string;
  readonly type: string;
  readonly body: EncodedBody;
}

export async function sendFile(
  exchange: CollectionExchange,
  reply: FastifyReply,
  file: HashedFile | undefined,
): Promise<Buffer | undefined> {
  if (file === undefined) throw new RouteNotFoundError();
  const body = await sendEncoded(exchange, reply, file.body);
  reply.headers({ 'content-type': file.type, 'cache-control': 'public, max-age=31536000, immutable' });
  return body;
}

function codingFor(headers: Readonly<Record<string, string | string[] | undefined>>, version?: string): Coding {
  const { 'accept-encoding': accepted, 'api-version': asked } = headers;
  if (accepted === undefined || (asked !== undefined && asked !== version)) return 'identity';
  const negotiation = new Negotiator({ headers }) as Negotiation;
  const [best] = negotiation.encodings(CODINGS, { preferred: CODINGS });
  return CODINGS.find((coding) => coding === best) ?? 'identity';
}
