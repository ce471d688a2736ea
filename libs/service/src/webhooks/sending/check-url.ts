import { isIPv4, isIPv6 } from 'node:net';

import { ApiError } from '@items/conventions';
import type { AddressRanges } from '../../runtime/config/address-ranges.js';
import { classifyAddress } from './classify-address.js';

export interface UrlRefusal {
  readonly code: 'invalid_url' | 'forbidden_address';
  readonly message: string;
}

/** 422: events cannot be sent to this URL. SPEC §6.2 */
export class WebhookUrlError extends ApiError {
  override readonly status = 422;
  override readonly code: UrlRefusal['code'];

  constructor({ code, message }: UrlRefusal) {
    super(message, { details: [{ field: 'url', code, message }] });
    this.code = code;
  }
}

export interface Target {
  readonly url: URL;
  readonly origin: string;
  readonly path: string;
  readonly literal: string | undefined;
  /** True for `http` and restricted ports. All addresses must then be exempt (`WEBHOOK_ALLOW`). */
  readonly exemptOnly: boolean;
}

const MAX_CHARACTERS = 2048;
const FORBIDDEN_LITERAL = 'This address is not allowed: use the host name of a public server.';
const NO_HTTPS = 'The URL must begin with "https://".';
/** Names outside the public DNS, resolved by local networks or Tor. RFC 6761, 6762, 7686, 8375 */
const PRIVATE_ENDINGS = ['.local', '.internal', '.localhost', '.lan', '.localdomain', '.home.arpa', '.onion'];
const BAD_PORT = 'The port must be 443, or 1024 and above.';

export function refusalOfExempt({ url }: Target): UrlRefusal {
  return invalid(url.protocol === 'https:' ? BAD_PORT : NO_HTTPS);
}

/**
 * Checks the text of a URL without a look-up. A forbidden literal address is reported first.
 * @param allow exempt ranges; their addresses may have `http` and any port. Without ranges, such URLs are refused.
 * @see SPEC §6 Webhooks, Address
 */
export function parseTarget(text: string, allow: AddressRanges): Target | UrlRefusal {
  const literal = literalIn(text);
  const kind = literal === undefined ? undefined : classifyAddress(literal, allow);
  if (kind === 'forbidden') return { code: 'forbidden_address', message: FORBIDDEN_LITERAL };
  const formError = checkForm(text);
  if (formError !== undefined) return invalid(formError);
  const url = parsed(text);
  if (url === undefined) return invalid('The URL cannot be read: write it like https://example.com/hooks.');
  if (kind === 'public') return invalid('The URL must have a host name: an address is not accepted.');
  if (literal === undefined) {
    url.hostname = url.hostname.replace(/\.$/, '');
    const nameError = checkName(url.hostname);
    if (nameError !== undefined) return invalid(nameError);
  }
  const isOrdinary = url.protocol === 'https:' && isOrdinaryPort(url.port);
  const { origin, pathname, search } = url;
  const target: Target = { url, origin, path: pathname + search, literal, exemptOnly: !isOrdinary };
  return isOrdinary || allow.cidrs.length > 0 ? target : refusalOfExempt(target);
}

function invalid(message: string): UrlRefusal {
  return { code: 'invalid_url', message };
}

function isOrdinaryPort(port: string): boolean {
  return port === '' || port === '443' || Number(port) >= 1024;
}

/** Refuses text that `URL` would silently correct or drop. */
function checkForm(text: string): string | undefined {
  if ([...text].length > MAX_CHARACTERS) return `The URL must have at most ${MAX_CHARACTERS} characters.`;
  if (/[\s\p{Cc}\\]/u.test(text)) return 'The URL must be without spaces, backslashes and control characters.';
  const [, authority] = /^https?:\/\/([^/?#]+)/i.exec(text) ?? [];
  if (authority === undefined) return NO_HTTPS;
  if (authority.includes('@')) return 'The URL must be without a username and a password.';
  if (text.includes('#')) return 'The URL must be without a fragment ("#…").';
  return undefined;
}

function checkName(name: string): string | undefined {
  const labels = name.split('.');
  const isName = name.length <= 253 && labels.every((label) => /^[a-z0-9_-]{1,63}$/.test(label));
  if (!isName || labels.length < 2) return 'The URL must have a full name with a dot, such as hooks.example.com.';
  const ending = PRIVATE_ENDINGS.find((candidate) => `.${name}`.endsWith(candidate));
  return ending && `The name must not end in "${ending}": such names lead to no public address.`;
}

function parsed(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the literal address of a URL, without brackets. `URL` parses every spelling that a connection would accept:
 * decimal, octal, hexadecimal, fewer than four parts, a final dot, full-width digits.
 */
function literalIn(text: string): string | undefined {
  const url = parsed(text);
  if (url === undefined) return scopedIn(text);
  // `URL` parses the host as an address only for known schemes.
  const host = parsed(`https://${url.host}`)?.hostname ?? url.hostname;
  if (host.startsWith('[')) return host.slice(1, -1);
  return isIPv4(host) ? host : undefined;
}

/** Parses hosts such as `[fe80::1%25eth0]`, which `URL` refuses. RFC 6874 */
function scopedIn(text: string): string | undefined {
  const [, address = ''] = /\[([\da-f:.]{2,45})%/i.exec(text) ?? [];
  return isIPv6(address) ? address : undefined;
}
