import { InvalidCursorError, MAX_CURSOR_LENGTH } from '@items/conventions';

import type { Seal } from './seal.js';

/** Where a walk stands: everything the next page needs. SPEC §4 Cursor rules */
export interface CursorPosition {
  /** Short hash, made by the caller, of the path, sort and filter that the walk is bound to. */
  readonly fingerprint: string;
  /** When this cursor was issued, in milliseconds since the epoch. */
  readonly issuedAtMs: number;
  /** The clocks of the collection's 1–16 lanes when the first page was served, in microseconds: safe integers. */
  readonly snapshot: readonly number[];
  /**
   * The epoch of the database in which the first page was served; empty where it has none, and {@link BEFORE_EPOCHS} in a
   * cursor of a release that knew of no epochs.
   */
  readonly epoch: string;
  /** The sort fields of the last row served: text, finite numbers, or null. */
  readonly key: readonly (string | number | null)[];
  /** UUID of the last row served. */
  readonly id: string;
}

const MAX_LANES = 16;

/** The epoch of cursors that were made before there were epochs: no epoch has this name. SPEC §4.1 */
export const BEFORE_EPOCHS = '*';

/**
 * The opaque `cursor` of a position, authenticated: sealed JSON `[fingerprint, issuedAtMs, snapshot in base 36, key, id,
 * epoch]`. Base 36 keeps sixteen clocks within 512 characters of cursor; JSON keeps every text.
 * @returns base64url: at most 512 characters for 16 lanes and numeric keys, at most 4096 in any case.
 * @throws {RangeError} a fault of the caller: the key does not fit.
 * @see SPEC §4 Cursor rules
 */
export function encodeCursor(position: CursorPosition, seal: Seal): string {
  const { fingerprint, issuedAtMs, snapshot, key, id, epoch } = position;
  let clocks = '';
  for (const clock of snapshot) clocks += `${clocks === '' ? '' : '.'}${clock.toString(36)}`;
  const cursor = seal.seal(JSON.stringify([fingerprint, issuedAtMs, clocks, key, id, epoch]));
  if (cursor.length > MAX_CURSOR_LENGTH) throw new RangeError('This position is too long for a cursor.');
  return cursor;
}

/**
 * The position after which the next page starts.
 * @param cursor as the client sent it, of a length that `parseListQuery` lets through.
 * @param fingerprint of the path, sort and filter of this request.
 * @param seals one for each secret in use, so that a new secret does not break walks under way.
 * @throws {InvalidCursorError} 400: malformed, forged, or made for another path, sort or filter.
 * @see SPEC §4 Cursor rules
 */
export function decodeCursor(cursor: string, fingerprint: string, seals: readonly Seal[]): CursorPosition {
  // All are asked: the time does not tell which secret fits.
  const [payload] = seals.map((seal) => seal.open(cursor)).filter((text) => text !== undefined);
  const position = payload === undefined ? undefined : readPayload(payload);
  if (position?.fingerprint !== fingerprint) throw new InvalidCursorError();
  return position;
}

/** Undefined for what another version of this service may have written under the same secret. */
function readPayload(payload: string): CursorPosition | undefined {
  let parts: unknown;
  try {
    parts = JSON.parse(payload);
  } catch {
    return undefined;
  }
  // Five parts: of a release before there were epochs.
  if (!Array.isArray(parts) || (parts.length !== 6 && parts.length !== 5)) return undefined;
  const [fingerprint, issuedAtMs, clocks, key, id, epoch = BEFORE_EPOCHS] = parts as readonly unknown[];
  if (typeof fingerprint !== 'string' || typeof id !== 'string' || typeof clocks !== 'string') return undefined;
  if (typeof epoch !== 'string') return undefined;
  const snapshot = clocks.split('.').map((clock) => Number.parseInt(clock, 36));
  if (snapshot.length > MAX_LANES || !snapshot.every(Number.isSafeInteger)) return undefined;
  if (!isSafeInteger(issuedAtMs) || !Array.isArray(key) || !key.every(isKeyPart)) return undefined;
  return { fingerprint, issuedAtMs, snapshot, epoch, key, id };
}

function isSafeInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function isKeyPart(value: unknown): value is string | number | null {
  return value === null || typeof value === 'string' || Number.isFinite(value);
}
