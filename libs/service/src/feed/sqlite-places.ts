import { keyOf } from './event-key.js';

/** Where the digits of the stamp stand in an id, between which the version stands. */
const stamped = (id: string, micros: number): string => {
  const ms = Math.floor(micros / 1000)
    .toString(16)
    .padStart(12, '0');
  const rest = (micros % 1000).toString(16).padStart(3, '0');
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7${rest}${id.slice(18)}`;
};

/**
 * The places that rows of PostgreSQL have on SQLite, where no two share a stamp: one that has the stamp of the row before
 * it moves behind it, by microseconds, and has an id that says so.
 */
export class SqlitePlaces {
  private lastPlace = -1;
  /** Ids that had to change, and what they are now. */
  readonly moved = new Map<string, string>();

  /** The latest stamp, in microseconds since the epoch. */
  get lastStamp(): number {
    return Math.floor(this.lastPlace / 2);
  }

  /** @param id in the order of the ids. */
  next(id: string): { readonly place: number; readonly id: string } {
    const place = Number(keyOf('sqlite', id));
    if (place > this.lastPlace) {
      this.lastPlace = place;
      return { place, id };
    }
    const other = stamped(id, this.lastStamp + 1);
    this.moved.set(id, other);
    this.lastPlace = Number(keyOf('sqlite', other));
    return { place: this.lastPlace, id: other };
  }
}
