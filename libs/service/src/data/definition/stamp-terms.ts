import type { SqlValue } from '../database/database.js';

/** When a row was written: `seq` on the clock of a lane, where no other transaction writes before the commit. */
export interface Stamp {
  readonly lane: number;
  /** Microseconds since the epoch, or one more than the write before where that is later. */
  readonly seq: number;
}

/** How the SQL of a write names its stamp. */
export interface StampTerms {
  /** An expression. */
  readonly lane: string;
  /** An expression. */
  readonly seq: string;
  /** What an INSERT inserts: one row of these expressions. */
  readonly row: (values: readonly string[]) => string;
  /** Behind the assignments of an UPDATE. */
  readonly from: string;
  /** Behind the other tables of a FROM. */
  readonly beside: string;
  /** Behind the other conditions of a WHERE. */
  readonly isThere: string;
}

/** A write under a stamp. Its text is put together once for all writes of a collection that have its shape. */
export interface StampedWrite {
  /** What tells the text from others. */
  readonly shape: string;
  readonly values: readonly SqlValue[];
  /** It keeps a row for walks alone, which was written at this clock: none that began before asks for it. */
  readonly forWalksSince?: number;
  /** @param placeholders of the values, in their order. */
  readonly text: (placeholders: readonly string[], stamp: StampTerms) => string;
}

/** A stamp that the statement itself has taken: writes are parts of it, and write nothing where there is none. */
export const STAMP_RELATION: StampTerms = {
  lane: 'stamp.lane',
  seq: 'stamp.seq',
  row: (values) => `SELECT ${values.join(', ')} FROM stamp`,
  from: ' FROM stamp',
  beside: ', stamp',
  isThere: ' AND EXISTS (SELECT 1 FROM stamp)',
};

/** The same, of one of several changes, which have stamps one after the other. @param before the last of them. */
export function stampBefore(before: number): StampTerms {
  return before === 0 ? STAMP_RELATION : { ...STAMP_RELATION, seq: `(stamp.seq - ${String(before)})` };
}

/**
 * A stamp that is known beforehand: the first two parameters of the statement. SQLite inserts VALUES in half the time of a
 * SELECT.
 */
export const KNOWN_STAMP: StampTerms = {
  lane: '$1',
  seq: '$2',
  row: (values) => `VALUES (${values.join(', ')})`,
  from: '',
  beside: '',
  isThere: '',
};

/** The text of a write in a statement of which its values are the parameters from the `first` on. */
export function textOf({ values, text }: StampedWrite, first: number, stamp: StampTerms): string {
  return text(
    values.map((_, index) => `$${String(first + index)}`),
    stamp,
  );
}
