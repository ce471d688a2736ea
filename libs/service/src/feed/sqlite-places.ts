import { keyOf, MAX_SHIFT } from './event-key.js';

/**
 * The places that rows of PostgreSQL get on SQLite. Rows of PostgreSQL may share a stamp: each is behind the row before it,
 * and keeps its id.
 */
export class SqlitePlaces {
  private lastPlace = -1;

  /** The latest stamp, in microseconds since the epoch. */
  get lastStamp(): number {
    return Math.floor(this.lastPlace / 2);
  }

  /**
   * @param id in the order of the ids.
   * @throws {RangeError} so many rows share a stamp that SQLite could not find this one.
   */
  next(id: string): number {
    const key = Number(keyOf('sqlite', id));
    const place = Math.max(key, this.lastPlace + 1);
    if (place - key > MAX_SHIFT) throw new RangeError(`Too many rows share the stamp of ${id}.`);
    this.lastPlace = place;
    return place;
  }
}
