import type { SqlValue } from './database.js';

/** Common columns and own columns of a collection. See lists/README.md. */
export interface VersionedRow {
  /** UUIDv7, ascending in the order of creation. */
  readonly id: string;
  /** Milliseconds since the epoch, equal to the time in a generated id. */
  readonly created_at: number;
  readonly updated_at: number;
  readonly lane: number;
  readonly seq: number;
  readonly [column: string]: SqlValue;
}
