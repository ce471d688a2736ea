import type { Parameters } from './parameters.js';

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

/** SQL of a write; its parameters are added in the order in which they stand in it. */
export type StampedWrite = (params: Parameters, stamp: StampTerms) => string;

/** A stamp that the statement itself has taken: writes are parts of it, and write nothing where there is none. */
export const STAMP_RELATION: StampTerms = {
  lane: 'stamp.lane',
  seq: 'stamp.seq',
  row: (values) => `SELECT ${values.join(', ')} FROM stamp`,
  from: ' FROM stamp',
  beside: ', stamp',
  isThere: ' AND EXISTS (SELECT 1 FROM stamp)',
};

/** A stamp that is known beforehand. SQLite inserts VALUES in half the time of a SELECT. */
export function knownStamp({ lane, seq }: Stamp, params: Parameters): StampTerms {
  return {
    lane: params.add(lane),
    seq: params.add(seq),
    row: (values) => `VALUES (${values.join(', ')})`,
    from: '',
    beside: '',
    isThere: '',
  };
}
