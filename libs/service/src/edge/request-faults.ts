import { ExpectationFailedError } from './edge-errors.js';
import { type ApiError, MalformedRequestError } from '@items/conventions';
import type { ReceivedHead } from './refused-head.js';

/** What the head of a request is as HTTP. */
export interface HeadVerdict {
  /** 400 or 417; undefined for a request that is well-formed. */
  readonly fault: ApiError | undefined;
  /**
   * Whether the connection ends with the response. `'perhaps'`: an expectation that is not met leaves a body in doubt. Nothing
   * that came behind such a request is begun before that is known.
   */
  readonly endsConnection: 'no' | 'perhaps' | 'yes';
}

/** Of nearly all requests. */
const SOUND: HeadVerdict = { fault: undefined, endsConnection: 'no' };

/** What makes a look at the whole URL necessary: an escape, a fragment, or a byte that no URL has. */
const NEEDS_A_LOOK = /[^\x21\x22\x24\x26-\x7e]/;
const NO_URL_CHARACTER = /[^\x21\x22\x24-\x7e]/;
/** RFC 9110 §7.2: a host and perhaps a port; empty where the target has none. */
const HOST = /^(?:[A-Za-z0-9._~!$&'()*+,;=%-]+|\[[A-Fa-f0-9:.]+\])?(?::\d{0,5})?$/;

let lastGoodHost: string | undefined;

/** Judges a request as HTTP, before anybody asks what it wants. */
export function judgeHead({
  httpVersionMajor,
  httpVersionMinor,
  headers,
  rawHeaders,
  url = '',
}: ReceivedHead): HeadVerdict {
  // First what makes it doubtful whom the connection talks to, or where its requests end.
  if (httpVersionMajor !== 1 || httpVersionMinor > 1) return doubtful('This service speaks HTTP/1.1.');
  // Node keeps the first of several and says nothing; two readers may then see two requests.
  let [hosts, types] = [0, 0];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    if (name.length === 12 && name.toLowerCase() === 'content-type') types += 1;
  }
  if (hosts > 1) return doubtful('The request has more than one Host header.');
  if (types > 1) return doubtful('The request has more than one Content-Type header.');
  const { host, expect, upgrade, 'transfer-encoding': coding } = headers;
  if (host === undefined && httpVersionMinor === 1) return doubtful('The request has no Host header.');
  if (host !== undefined && host !== lastGoodHost) {
    if (!HOST.test(host)) return doubtful('The Host header is not a host.');
    lastGoodHost = host;
  }
  // Node's parser takes any coding before `chunked`, and would hand on a body as it was coded. RFC 9112 §6.1
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    return doubtful('The only Transfer-Encoding that this service reads is "chunked".');
  }
  const urlFault = NEEDS_A_LOOK.test(url) ? encodingFault(url) : undefined;
  if (urlFault === undefined && expect === undefined && upgrade === undefined) return SOUND;
  // Where another protocol is asked for, Node may drop what came right behind the request. RFC 9110 §7.8
  const isUpgrade = upgrade !== undefined && headers.connection?.toLowerCase().includes('upgrade') === true;
  // RFC 9110 §10.1.1: an expectation in HTTP/1.0 is ignored.
  const isUnmet = expect !== undefined && httpVersionMinor === 1 && expect.toLowerCase() !== '100-continue';
  return {
    fault: urlFault ?? (isUnmet ? new ExpectationFailedError() : undefined),
    endsConnection: isUpgrade ? 'yes' : expect === undefined ? 'no' : 'perhaps',
  };
}

/** @returns 400 for a request target that is no URL in percent-encoded UTF-8. */
export function encodingFault(url: string): ApiError | undefined {
  if (NO_URL_CHARACTER.test(url)) {
    return new MalformedRequestError('The URL holds characters that must be percent-encoded.');
  }
  try {
    decodeURIComponent(url);
    return undefined;
  } catch {
    return new MalformedRequestError('The URL is not correctly percent-encoded UTF-8.');
  }
}

function doubtful(sentence: string): HeadVerdict {
  return { fault: new MalformedRequestError(sentence), endsConnection: 'yes' };
}

/** Names of query parameters that carry credentials elsewhere, in lower case. SPEC §5.1 */
const CREDENTIAL_NAMES: ReadonlySet<string> = new Set([
  'api_key',
  'apikey',
  'api-key',
  'x-api-key',
  'access_token',
  'refresh_token',
  'token',
  'password',
  'client_secret',
]);

/** What no query has that names a credential: a look at each name costs a page of a list 1 % of its time. */
const SUSPICIOUS = /%|key|token|password|secret/i;

/** Whether the query has a parameter whose name says that it is a credential, in any case and encoding. SPEC §5 */
export function hasCredentialInUrl(url: string): boolean {
  const start = url.indexOf('?');
  if (start === -1) return false;
  const query = url.slice(start + 1);
  if (!SUSPICIOUS.test(query)) return false;
  return query.split('&').some((pair) => CREDENTIAL_NAMES.has(nameOf(pair)));
}

function nameOf(pair: string): string {
  const end = pair.indexOf('=');
  const name = (end === -1 ? pair : pair.slice(0, end)).replaceAll('+', ' ');
  try {
    return decodeURIComponent(name).toLowerCase();
  } catch {
    return name.toLowerCase();
  }
}
