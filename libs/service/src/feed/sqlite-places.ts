import { keyOf, MAX_SHIFT } from './event-key.js';

export class SqlitePlaces {
  private lastPlace = -1;

  get lastStamp(): number {
    return Math.floor(this.lastPlace / 2);
  }

  /**
   * @param id Must ascend from call to call.
   * @throws {RangeError} Too many rows share the stamp of this id.
   */
  next(id: string): number {
    const key = Number(keyOf('sqlite', id));
    const place = Math.max(key, this.lastPlace + 1);
    if (place - key > MAX_SHIFT) throw new RangeError(`Too many rows share the stamp of ${id}.`);
    this.lastPlace = place;
    return place;
  }
}
