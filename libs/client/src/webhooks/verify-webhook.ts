import type { Event } from '@items/dtos/contract';

/** `Headers`, or a record as in Node. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** Compared with the timestamp of the webhook. Default: the local clock. */
  readonly now?: Date | undefined;
}

const TOLERANCE_SECONDS = 300;
const TIMESTAMP = /^\d{1,12}$/;

/**
 * Verifies that a request is a webhook of the service, and returns its event. Webhooks may arrive twice: ignore ids
 * that you have processed.
 * @param secrets `whsec_…`; pass two during a rotation.
 * @param body The bytes or text exactly as received: JSON that was parsed and serialized again may differ.
 * @returns A newer service may send types that this version does not list.
 * @throws {WebhookVerificationError} The request is invalid: respond with 400.
 * @throws {TypeError} A secret is malformed, or the body was already parsed.
 * @see SPEC §6.2, Standard Webhooks 1.0.0
 */
export async function verifyWebhook(
  secrets: string | readonly string[],
  headers: WebhookHeaders,
  body: string | Uint8Array | ArrayBuffer,
  { now = new Date() }: VerifyOptions = {},
): Promise<Event> {
  const keys = await Promise.all([secrets].flat().map(keyOf));
  if (keys.length === 0) throw new TypeError('Pass at least one secret.');
  const bytes = bytesOf(body);
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature').split(' ');
  checkTime(timestamp, now);
  const content = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const own = await Promise.all(keys.map(async (key) => signatureOf(key, content)));
  // Compares all signatures, even after a match, so that the duration does not show which signature matched.
  const right = own.flatMap((signature) => signatures.filter((given) => areEqual(given, signature)));
  if (right.length > 0) return eventIn(bytes);
  throw new WebhookVerificationError('wrong_signature', 'None of the secrets has signed this body.');
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : valueIn(headers, name);
  if (value !== null && value !== '') return value;
  throw new WebhookVerificationError('missing_header', `The header "${name}" is missing.`);
}

function valueIn(headers: Readonly<Record<string, string | readonly string[] | undefined>>, name: string): string {
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1] ?? '';
  return [found].flat().join(' ');
}

function checkTime(timestamp: string, now: Date): void {
  if (!TIMESTAMP.test(timestamp)) {
    throw new WebhookVerificationError('missing_header', 'The header "webhook-timestamp" must be seconds since 1970.');
  }
  const ageSeconds = Math.floor(now.getTime() / 1000) - Number(timestamp);
  if (ageSeconds > TOLERANCE_SECONDS)
    throw new WebhookVerificationError('too_old', 'The webhook is older than 5 minutes.');
  if (ageSeconds < -TOLERANCE_SECONDS) {
    throw new WebhookVerificationError(
      'too_new',
      'The webhook is more than 5 minutes ahead: set the clock of this machine.',
    );
  }
}

function bytesOf(body: unknown): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return body;
  // Accepts an `ArrayBuffer` of another realm, for which `instanceof` fails.
  if (Object.prototype.toString.call(body) === '[object ArrayBuffer]') return new Uint8Array(body as ArrayBuffer);
  throw new TypeError('The body must be the received bytes or text: read it before anything parses it.');
}

function joined(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(head.length + tail.length);
  all.set(head);
  all.set(tail, head.length);
  return all;
}

function eventIn(bytes: Uint8Array): Event {
  try {
    const event: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (isEvent(event)) return event;
  } catch {
    // Ignores the error of the parser, which may quote the body.
  }
  throw new WebhookVerificationError('invalid_body', 'The body is signed, but is not an event.');
}

function isEvent(body: unknown): body is Event {
  if (typeof body !== 'object' || body === null) return false;
  const { id, type, data } = body as Readonly<Record<string, unknown>>;
  return typeof id === 'string' && typeof type === 'string' && typeof data === 'object' && data !== null;
}

/**
 * - `missing_header`: one of `webhook-id`, `webhook-timestamp`, `webhook-signature` is absent or malformed;
 * - `too_old`, `too_new`: the timestamp differs from the clock by more than 5 minutes;
 * - `wrong_signature`: no secret matches the signature of these bytes;
 * - `invalid_body`: the signature is valid, but the body is not an event.
 */
export type WebhookVerificationCode = 'missing_header' | 'too_old' | 'too_new' | 'wrong_signature' | 'invalid_body';

/** A request that must not be trusted: respond with 400. The message contains no secret. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';

  constructor(
    readonly code: WebhookVerificationCode,
    message: string,
  ) {
    super(message);
  }
}

const SECRET = /^whsec_([A-Za-z0-9+/]{4,}={0,2})$/;

/** @throws {TypeError} The secret is malformed. The message does not contain it. */
export async function keyOf(secret: string): Promise<CryptoKey> {
  const [, base64] = SECRET.exec(secret) ?? [];
  if (base64 === undefined) throw new TypeError('A webhook secret must be "whsec_" and a base64 key.');
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
}

export async function signatureOf(key: CryptoKey, content: Uint8Array<ArrayBuffer>): Promise<string> {
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, content));
  return `v1,${btoa(String.fromCharCode(...mac))}`;
}

/** Takes constant time if the lengths are equal. */
function areEqual(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let at = 0; at < one.length; at += 1) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
}
