import { fromBase64Url, toBase64Url } from './base64url.js';
import { fromUtf8, toUtf8 } from './utf8.js';

/** HMAC-SHA-256 with one secret. Returns at least 16 bytes; a cursor contains the first 16. */
export type Mac = (bytes: Uint8Array) => Uint8Array;

/** Encodes and authenticates texts. */
export interface Seal {
  /** @param text Well-formed Unicode. @returns base64url. */
  seal(text: string): string;
  /** @returns Undefined if the text was not sealed with this secret. */
  open(sealed: string): string | undefined;
}

const MAC_BYTES = 16;

/** Works on any platform. `@items/service` has a faster seal for Node. */
export function sealBy(mac: Mac): Seal {
  return {
    seal: (text) => {
      const payload = toUtf8(text);
      const bytes = new Uint8Array(MAC_BYTES + payload.length);
      bytes.set(mac(payload).subarray(0, MAC_BYTES));
      bytes.set(payload, MAC_BYTES);
      return toBase64Url(bytes);
    },
    open: (sealed) => {
      const bytes = fromBase64Url(sealed);
      if (bytes === undefined || bytes.length <= MAC_BYTES) return undefined;
      const payload = bytes.subarray(MAC_BYTES);
      // The MAC must be checked before the payload is parsed.
      return isAuthentic(bytes.subarray(0, MAC_BYTES), mac(payload)) ? textOf(payload) : undefined;
    },
  };
}

/** Compares in constant time. */
function isAuthentic(found: Uint8Array, expected: Uint8Array): boolean {
  return found.reduce((bits, byte, index) => bits | (byte ^ (expected[index] ?? 256)), 0) === 0;
}

function textOf(payload: Uint8Array): string | undefined {
  try {
    return fromUtf8(payload);
  } catch {
    return undefined;
  }
}
