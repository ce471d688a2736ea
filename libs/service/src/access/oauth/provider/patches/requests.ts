import { randomBytes } from 'node:crypto';
import { IncomingMessage } from 'node:http';
import { basePathOf } from '../../../../http/base-path.js';

export interface Replacements {
  /** Path and query. Default: those of the request. */
  readonly url?: string;
  /** Body that was already read. Default: none. */
  readonly body?: Buffer | string;
  /** Undefined removes a header. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/**
 * Copies a request for oidc-provider with the host of the base URL. Forged Host or forwarding headers therefore affect
 * neither metadata nor redirects. The caller has read the body within the limits of this service.
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
  // The service has its own CORS rules. oidc-provider would refuse clients because of `Origin`.
  delete message.headers.origin;
  delete message.headers['transfer-encoding'];
  delete message.headers.expect;
  if (body === undefined) delete message.headers['content-length'];
  else message.headers['content-length'] = String(Buffer.byteLength(body));
  // oidc-provider finds its mount path in `originalUrl`. URLs of oidc-provider must contain a prefix that a proxy
  // removed.
  Object.assign(message, { originalUrl: basePathOf(base) + message.url });
  if (body !== undefined) message.push(body);
  message.push(null);
  message.complete = true;
  return message;
}

/** Secret of all confidential clients in oidc-provider. It never leaves this process. */
export const VERIFIED_SECRET = randomBytes(32).toString('base64url');

/**
 * Replaces a verified secret by {@link VERIFIED_SECRET}. oidc-provider compares plain text, but only hashes are stored.
 * A repeated secret stays, because oidc-provider refuses it.
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
