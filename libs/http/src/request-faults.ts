import { type ApiError, ExpectationFailedError, MalformedRequestError } from '@items/conventions';

import type { ReceivedHead } from './refused-head.js';

/** What makes a look at the whole URL necessary: an escape, a fragment, or a byte that no URL has. */
const NEEDS_A_LOOK = /[^\x21\x22\x24\x26-\x7e]/;
const NO_URL_CHARACTER = /[^\x21\x22\x24-\x7e]/;
/** RFC 9110 §7.2: a host and perhaps a port; empty where the target has none. */
const HOST = /^(?:[A-Za-z0-9._~!$&'()*+,;=%-]+|\[[A-Fa-f0-9:.]+\])?(?::\d{0,5})?$/;

let lastGoodHost: string | undefined;

/**
 * What makes it doubtful whom a connection talks to, or where its requests end: it is closed after the answer.
 * @returns 400, or undefined for a request that names one host, and has a body and a version that this service reads.
 */
export function connectionFault(message: ReceivedHead): ApiError | undefined {
  return versionFault(message) ?? repetitionFault(message) ?? hostFault(message) ?? codingFault(message);
}

/**
 * What is wrong with a request as HTTP, before anybody asks what it wants.
 * @returns 400 or 417, or undefined for a request that is well-formed.
 */
export function requestFault(message: ReceivedHead): ApiError | undefined {
  return encodingFault(message.url ?? '') ?? expectationFault(message);
}

/**
 * Whether a request asks for another protocol. It is answered in this one, but Node may drop what came right behind it: the
 * connection is closed after the answer. RFC 9110 §7.8
 */
export function isUpgrade({ headers }: ReceivedHead): boolean {
  return headers.upgrade !== undefined && headers.connection?.toLowerCase().includes('upgrade') === true;
}

/** Whether the answer may be the last one of its connection: an expectation that is not met leaves a body in doubt. */
export function mayEndConnection(message: ReceivedHead): boolean {
  return message.headers.expect !== undefined || isUpgrade(message) || connectionFault(message) !== undefined;
}

function versionFault({ httpVersionMajor, httpVersionMinor }: ReceivedHead): ApiError | undefined {
  if (httpVersionMajor === 1 && (httpVersionMinor === 1 || httpVersionMinor === 0)) return undefined;
  return new MalformedRequestError('This service speaks HTTP/1.1.');
}

function hostFault(head: ReceivedHead): ApiError | undefined {
  const { host } = head.headers;
  if (host === undefined) {
    return head.httpVersionMinor === 0 ? undefined : new MalformedRequestError('The request has no Host header.');
  }
  if (host !== lastGoodHost && !HOST.test(host)) return new MalformedRequestError('The Host header is not a host.');
  lastGoodHost = host;
  return undefined;
}

/** Node keeps the first of several and says nothing; two readers may then see two requests. */
function repetitionFault({ rawHeaders }: ReceivedHead): ApiError | undefined {
  let [hosts, types] = [0, 0];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    if (name.length === 12 && name.toLowerCase() === 'content-type') types += 1;
  }
  if (hosts > 1) return new MalformedRequestError('The request has more than one Host header.');
  return types > 1 ? new MalformedRequestError('The request has more than one Content-Type header.') : undefined;
}

/** Node's parser takes any coding before `chunked`, and would hand on a body as it was coded. RFC 9112 §6.1 */
function codingFault({ headers }: ReceivedHead): ApiError | undefined {
  const coding = headers['transfer-encoding'];
  if (coding === undefined || coding.toLowerCase() === 'chunked') return undefined;
  return new MalformedRequestError('The only Transfer-Encoding that this service reads is "chunked".');
}

function encodingFault(url: string): ApiError | undefined {
  if (!NEEDS_A_LOOK.test(url)) return undefined;
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

function expectationFault({ headers, httpVersionMinor }: ReceivedHead): ApiError | undefined {
  const { expect } = headers;
  // RFC 9110 §10.1.1: an expectation in HTTP/1.0 is ignored.
  if (expect === undefined || httpVersionMinor === 0 || expect.toLowerCase() === '100-continue') return undefined;
  return new ExpectationFailedError();
}
