import type { SqlValue } from '../database/database.js';

/** A lane, and the value `seq` of its clock. The lane is locked until the commit. */
export interface Stamp {
  readonly lane: number;
  /** Microseconds since the epoch, or the previous value plus one if that is later. */
  readonly seq: number;
}

/** SQL fragments that refer to the stamp of a write. */
export interface StampTerms {
  readonly lane: string;
  readonly seq: string;
  /** The source of an INSERT: one row of these expressions. */
  readonly row: (values: readonly string[]) => string;
  /** Follows the assignments of an UPDATE. */
  readonly from: string;
  /** Follows the other tables of a FROM. */
  readonly beside: string;
  /** Follows the other conditions of a WHERE. */
  readonly isThere: string;
}

/** The SQL is built once for each collection and shape. */
export interface StampedWrite {
  readonly shape: string;
  readonly values: readonly SqlValue[];
  /** For writes that save an old version. Skip the write if no walk started after this stamp. */
  readonly forWalksSince?: number;
  readonly text: (placeholders: readonly string[], stamp: StampTerms) => string;
}

/** A stamp taken by the same statement. The writes do nothing if it took none. */
export const STAMP_RELATION: StampTerms = {
  lane: 'stamp.lane',
  seq: 'stamp.seq',
  row: (values) => `SELECT ${values.join(', ')} FROM stamp`,
  from: ' FROM stamp',
  beside: ', stamp',
  isThere: ' AND EXISTS (SELECT 1 FROM stamp)',
};

/**
 * For one of several changes with consecutive stamps.
 * @param before Distance to the last stamp.
 */
export function stampBefore(before: number): StampTerms {
  return before === 0 ? STAMP_RELATION : { ...STAMP_RELATION, seq: `(stamp.seq - ${String(before)})` };
}

/**
 * A stamp that is known before the statement: its first two parameters. On SQLite, inserting VALUES takes half the time
 * of inserting a SELECT.
 */
export const KNOWN_STAMP: StampTerms = {
  lane: '$1',
  seq: '$2',
  row: (values) => `VALUES (${values.join(', ')})`,
  from: '',
  beside: '',
  isThere: '',
};

export function textOf({ values, text }: StampedWrite, first: number, stamp: StampTerms): string {
  return text(
    values.map((_, index) => `$${String(first + index)}`),
    stamp,
  );
}
