import type { SqlValue } from './database.js';

/** A row of a collection: what every row carries, and the columns of its own; see collections/README.md. */
export interface VersionedRow {
  /** UUIDv7: its order is the order of creation. */
  readonly id: string;
  /** Milliseconds since the epoch, as in the id. */
  readonly created_at: number;
  /** Milliseconds since the epoch. */
  readonly updated_at: number;
  /** The lane of the row's last write. */
  readonly lane: number;
  /** The time of the row's last write on the clock of its lane. */
  readonly seq: number;
  readonly [column: string]: SqlValue;
}
