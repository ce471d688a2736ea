import { randomBytes } from 'node:crypto';
import { IncomingMessage } from 'node:http';
import { basePathOf } from '../../../../http/base-path.js';

/** What the copy of a request has instead of the original. */
export interface Replacements {
  /** Path and query. Default: those of the request. */
  readonly url?: string;
  /** The body read so far. Default: none. */
  readonly body?: Buffer | string;
  /** Undefined removes a header. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/**
 * Copies a request for oidc-provider with the host of the base URL, so that forged Host or forwarding headers affect
 * neither metadata nor redirects. The body was read before, within the limits of this service.
 */
export function copyForProvider(
  original: IncomingMessage,
  base: URL,
  { url, body, headers }: Replacements,
): IncomingMessage {
  const message = new IncomingMessage(original.socket);
  message.method = original.method === 'HEAD' ? 'GET' : (original.method ?? 'GET');
  message.url = url ?? original.url ?? '/';
  message.httpVersion = original.httpVersion;
  message.httpVersionMajor = original.httpVersionMajor;
  message.httpVersionMinor = original.httpVersionMinor;
  message.headers = {
    ...original.headers,
    ...headers,
    host: base.host,
    'x-forwarded-proto': base.protocol.slice(0, -1),
  };
  delete message.headers['x-forwarded-host'];
  // The CORS rules of the service decide which page may read the response. With an origin, oidc-provider would refuse
  // clients.
  delete message.headers.origin;
  delete message.headers['transfer-encoding'];
  delete message.headers.expect;
  if (body === undefined) delete message.headers['content-length'];
  else message.headers['content-length'] = String(Buffer.byteLength(body));
  // Koa reads the path of its mount point from `originalUrl`. A prefix that a proxy removed must be in every URL.
  Object.assign(message, { originalUrl: basePathOf(base) + message.url });
  if (body !== undefined) message.push(body);
  message.push(null);
  message.complete = true;
  return message;
}

/** The secret of every confidential client in oidc-provider; only this process knows it. */
export const VERIFIED_SECRET = randomBytes(32).toString('base64url');

/**
 * oidc-provider compares secrets in plain text, while only hashes are stored. So {@link VERIFIED_SECRET} replaces the
 * verified secret. oidc-provider refuses a repeated secret.
 * @returns Headers to replace.
 */
export function withVerifiedSecret(
  clientId: string,
  isInHeader: boolean,
  fields: URLSearchParams,
): Replacements['headers'] {
  if (isInHeader) {
    const basic = `${encodeURIComponent(clientId)}:${VERIFIED_SECRET}`;
    return { authorization: `Basic ${Buffer.from(basic).toString('base64')}` };
  }
  if (fields.getAll('client_secret').length === 1) fields.set('client_secret', VERIFIED_SECRET);
  return {};
}
