import type { Event } from '@items/dtos/contract';

import { areEqual, keyOf, signatureOf } from './signature.js';
import { WebhookVerificationError } from './verification-error.js';

/** Headers of a request: `Headers`, or a record as Node has it. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** How {@link verifyWebhook} judges. */
export interface VerifyOptions {
  /** The time with which the time stamp is compared. Default: this machine's. */
  readonly now?: Date | undefined;
}

const TOLERANCE_SECONDS = 300;
const TIMESTAMP = /^\d{1,12}$/;

/**
 * Tells whether a request is a webhook of the service, and what it says. It may come twice: drop ids that you know.
 * @param secrets `whsec_…`; two while a rotation is under way.
 * @param body its bytes, or their text, as they came: JSON that was parsed and written again is not the same.
 * @returns the event; its kind may be one that is not known here.
 * @throws {WebhookVerificationError} whatever is wrong with the request: answer 400.
 * @throws {TypeError} a secret of another form; a body that was parsed.
 * @see SPEC §6.2, Standard Webhooks 1.0.0
 */
export async function verifyWebhook(
  secrets: string | readonly string[],
  headers: WebhookHeaders,
  body: string | Uint8Array | ArrayBuffer,
  { now = new Date() }: VerifyOptions = {},
): Promise<Event> {
  const keys = await Promise.all([secrets].flat().map(keyOf));
  if (keys.length === 0) throw new TypeError('A webhook is verified by at least one secret.');
  const bytes = bytesOf(body);
  const [id, timestamp, signatures] = [
    headerOf(headers, 'webhook-id'),
    headerOf(headers, 'webhook-timestamp'),
    headerOf(headers, 'webhook-signature').split(' '),
  ];
  judgeTime(timestamp, now);
  const content = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const own = await Promise.all(keys.map(async (key) => signatureOf(key, content)));
  // All are compared, whichever is right.
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

function judgeTime(timestamp: string, now: Date): void {
  if (!TIMESTAMP.test(timestamp)) {
    throw new WebhookVerificationError('missing_header', 'The header "webhook-timestamp" must be seconds since 1970.');
  }
  const ageSeconds = Math.floor(now.getTime() / 1000) - Number(timestamp);
  if (ageSeconds > TOLERANCE_SECONDS) throw new WebhookVerificationError('too_old', 'It is older than 5 minutes.');
  if (ageSeconds < -TOLERANCE_SECONDS) {
    throw new WebhookVerificationError(
      'too_new',
      'It is from more than 5 minutes ahead: set the clock of this machine.',
    );
  }
}

function bytesOf(body: unknown): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return body;
  // Of another realm as well.
  if (Object.prototype.toString.call(body) === '[object ArrayBuffer]') return new Uint8Array(body as ArrayBuffer);
  throw new TypeError('The body must be the bytes that came, or their text: read it before anything parses it.');
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
    // Told below, without the content.
  }
  throw new WebhookVerificationError('invalid_body', 'It is signed, but it is no event.');
}

function isEvent(body: unknown): body is Event {
  if (typeof body !== 'object' || body === null) return false;
  const { id, type, data } = body as Readonly<Record<string, unknown>>;
  return typeof id === 'string' && typeof type === 'string' && typeof data === 'object' && data !== null;
}
