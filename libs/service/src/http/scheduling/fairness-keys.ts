import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

import { boundedCache } from '../../data/caching/bounded-cache.js';
import { clientAddress } from '../connections/connection.js';
import { COUNTED_BY, FAIRNESS_KEY, type ReceivedRequest } from '../received-request.js';
import { networkOf } from '../request/network-of.js';

/** Room for about 20 000 credentials. */
const KNOWN_BYTES = 4_194_304;
const KNOWN_MS = 3_600_000;

interface Known {
  readonly fairnessKey: string;
}

/**
 * Finds the fairness key of a request before authentication. The key is the user and credential if the credential was
 * valid at its last use, else the address. ADR 105
 */
export class FairnessKeys {
  private readonly ownHeaders: readonly string[];
  /** Credentials are stored only as HMACs with this key. */
  private readonly secret = randomBytes(32);
  private readonly known = boundedCache<Known>({ maxBytes: KNOWN_BYTES, ttlMs: KNOWN_MS });
  private readonly latest = new WeakMap<Socket, Known & { readonly credential: string }>();

  /** @param ownHeaders headers that contain a credential, besides `Authorization` and `X-API-Key`. */
  constructor(ownHeaders: readonly string[] = []) {
    this.ownHeaders = ownHeaders.map((header) => header.toLowerCase());
  }

  keyOf(message: ReceivedRequest): string {
    const recognized = message[FAIRNESS_KEY];
    if (recognized !== undefined) return recognized;
    const credential = this.credentialOf(message);
    if (credential === undefined) return addressKey(message);
    const latest = this.latest.get(message.socket);
    if (latest?.credential === credential) return latest.fairnessKey;
    return this.known.get(this.fingerprintOf(credential))?.fairnessKey ?? addressKey(message);
  }

  /**
   * Remembers the fairness key of a credential; without a key, forgets the credential.
   * @returns whether the key is new: until now, requests with the credential were queued under the client's address, or
   * under another key.
   */
  recognize(message: ReceivedRequest, fairnessKey: string | undefined): boolean {
    const credential = this.credentialOf(message);
    if (credential === undefined) return false;
    const { socket } = message;
    const latest = this.latest.get(socket);
    if (fairnessKey === undefined) {
      if (latest?.credential === credential) this.latest.delete(socket);
      this.known.delete(this.fingerprintOf(credential));
      return false;
    }
    if (latest?.credential === credential && latest.fairnessKey === fairnessKey) return false;
    const fingerprint = this.fingerprintOf(credential);
    const isNew = this.known.get(fingerprint)?.fairnessKey !== fairnessKey;
    this.latest.set(socket, { credential, fairnessKey });
    if (isNew) this.known.set(fingerprint, { fairnessKey });
    return isNew;
  }

  /** If a request has two credentials, either may be returned: authentication refuses both. */
  private credentialOf({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
    const { authorization, 'x-api-key': key } = headers;
    const usual = authorization ?? (typeof key === 'string' ? key : undefined);
    if (usual !== undefined || this.ownHeaders.length === 0) return usual;
    const header = this.ownHeaders.find((name) => headers[name] !== undefined);
    return header === undefined ? undefined : `${header}: ${String(headers[header])}`;
  }

  private fingerprintOf(credential: string): string {
    return createHmac('sha256', this.secret).update(credential).digest('base64url');
  }
}

/**
 * Stores the fairness key that authentication has found.
 * @param key undefined without a valid credential.
 * @returns true if the request was queued under another key, so it must wait again under this one.
 */
export function recognize(message: ReceivedRequest, key: string | undefined): boolean {
  message[FAIRNESS_KEY] = key ?? addressKey(message);
  return message[COUNTED_BY]?.fairnessKeys.recognize(message, key) ?? false;
}

export function fairnessKeyOf(message: ReceivedRequest): string {
  return message[FAIRNESS_KEY] ?? addressKey(message);
}

function addressKey(message: ReceivedRequest): string {
  return `address:${networkOf(clientAddress(message))}`;
}
