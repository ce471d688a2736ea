import { InvalidCursorError, MAX_CURSOR_LENGTH } from '@items/conventions';
import type { Seal } from './seal.js';

/** The position of a walk (a list read page by page): all data that the next page needs. SPEC §4 Cursor rules */
export interface CursorPosition {
  /** Short hash of path, sort and filter. */
  readonly fingerprint: string;
  /** In milliseconds since the epoch. */
  readonly issuedAtMs: number;
  /**
   * Snapshot of the first page: the logical clocks of the collection's 1–16 lanes in microseconds, which are safe
   * integers.
   */
  readonly snapshot: readonly number[];
  /** Epoch (start of the service) at the first page, to detect a restored database. Empty if the list has no epochs. */
  readonly epoch: string;
  /** Values of the sort fields of the last served row. Numbers are finite. */
  readonly key: readonly (string | number | null)[];
  /** UUID of the last served row. */
  readonly id: string;
}

const MAX_LANES = 16;

/** The epoch of cursors from releases without epochs. No real epoch has this name. SPEC §4.1 */
export const BEFORE_EPOCHS = '*';

/**
 * Seals the JSON `[fingerprint, issuedAtMs, snapshot in base 36, key, id, epoch]`. Base 36 fits sixteen clocks into 512
 * characters.
 * @returns base64url: at most 512 characters for 16 lanes and numeric keys, always at most 4096.
 * @throws {RangeError} A fault of the caller: the key is too long.
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
 * Decodes a cursor and checks its seal.
 * @param cursor As sent, of a length that `parseListQuery` accepts.
 * @param fingerprint Of the path, sort and filter of this request.
 * @param seals One for each secret in use, so that cursors stay valid during a rotation.
 * @throws {InvalidCursorError} 400: malformed, forged, or of another path, sort or filter.
 * @see SPEC §4 Cursor rules
 */
export function decodeCursor(cursor: string, fingerprint: string, seals: readonly Seal[]): CursorPosition {
  // Tries all seals, so that the time does not reveal which secret fits.
  const [payload] = seals.map((seal) => seal.open(cursor)).filter((text) => text !== undefined);
  const position = payload === undefined ? undefined : readPayload(payload);
  if (position?.fingerprint !== fingerprint) throw new InvalidCursorError();
  return position;
}

/** Returns undefined for an unknown payload, such as one that another version of this service sealed. */
function readPayload(payload: string): CursorPosition | undefined {
  let parts: unknown;
  try {
    parts = JSON.parse(payload);
  } catch {
    return undefined;
  }
  // Cursors of a release without epochs have five parts.
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
