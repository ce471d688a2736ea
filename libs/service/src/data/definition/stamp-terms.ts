import type { SqlValue } from '../database/database.js';

/**
 * The lane (a clock of the collection) of a write, and the value `seq` of this clock. The lane is locked until the
 * commit.
 */
export interface Stamp {
  readonly lane: number;
  /** Microseconds since the epoch, or the previous value plus one if that is greater. */
  readonly seq: number;
}

/** SQL that refers to the stamp of a write, as {@link STAMP_RELATION} shows. */
export interface StampTerms {
  readonly lane: string;
  readonly seq: string;
  readonly row: (values: readonly string[]) => string;
  readonly from: string;
  readonly alsoFrom: string;
  readonly andIfTaken: string;
}

export interface StampedWrite {
  readonly shape: string;
  readonly values: readonly SqlValue[];
  /**
   * `seq` of the old version that this write saves. The write runs only if a walk may have started after this `seq`.
   */
  readonly forWalksSince?: number;
  readonly text: (placeholders: readonly string[], stamp: StampTerms) => string;
}

/** Terms for a statement that also takes the stamp. Without a stamp, it writes nothing. */
export const STAMP_RELATION: StampTerms = {
  lane: 'stamp.lane',
  seq: 'stamp.seq',
  row: (values) => `SELECT ${values.join(', ')} FROM stamp`,
  from: ' FROM stamp',
  alsoFrom: ', stamp',
  andIfTaken: ' AND EXISTS (SELECT 1 FROM stamp)',
};

/**
 * Refers to the stamp of one of several changes in a statement.
 * @param changesAfter Number of later changes.
 */
export function stampBefore(changesAfter: number): StampTerms {
  return changesAfter === 0 ? STAMP_RELATION : { ...STAMP_RELATION, seq: `(stamp.seq - ${String(changesAfter)})` };
}

/** Terms for a known stamp in the first two parameters. SQLite inserts VALUES in half the time of a SELECT. */
export const KNOWN_STAMP: StampTerms = {
  lane: '$1',
  seq: '$2',
  row: (values) => `VALUES (${values.join(', ')})`,
  from: '',
  alsoFrom: '',
  andIfTaken: '',
};

export function sqlOf({ values, text }: StampedWrite, first: number, stamp: StampTerms): string {
  return text(
    values.map((_, index) => `$${String(first + index)}`),
    stamp,
  );
}
