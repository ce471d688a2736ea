import { ExpiredCursorError, InvalidCursorError } from '@items/conventions';
import { type CursorPosition, encodeCursor, openCursor, type Seal } from '@items/paging';
import { preparedTexts } from '../store/database/prepared-texts.js';

/** How cursors are authenticated, and how long they live. */
export interface CursorPolicy {
  /** At least one: the first signs, all verify. */
  readonly seals: readonly Seal[];
  readonly ttlMs: number;
}

/**
 * The cursors of a collection. Most come back where they were made, soon: what those say that were made or read last is
 * kept, and not opened again, since it cannot change. Whether one is too old, or of another list, is judged each time.
 */
export class Cursors {
  private readonly known = preparedTexts<CursorPosition>();

  constructor(private readonly policy: CursorPolicy) {}

  make(position: CursorPosition): string {
    const [newest] = this.policy.seals;
    if (newest === undefined) throw new Error('There is no secret for cursors.');
    const cursor = encodeCursor(position, newest);
    this.known.set(cursor, position);
    return cursor;
  }

  /**
   * @param fingerprint of the list that is asked for.
   * @throws {InvalidCursorError} 400: malformed, forged, or made for another list.
   * @throws {ExpiredCursorError} 400: older than it may be.
   */
  read(cursor: string, fingerprint: string): CursorPosition {
    const known = this.known.get(cursor);
    const position = known ?? openCursor(cursor, this.policy.seals);
    if (known === undefined) this.known.set(cursor, position);
    if (position.fingerprint !== fingerprint) throw new InvalidCursorError();
    if (Date.now() - position.issuedAtMs > this.policy.ttlMs) throw new ExpiredCursorError();
    return position;
  }
}
