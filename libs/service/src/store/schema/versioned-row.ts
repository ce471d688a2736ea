/** What every row of a collection carries beside its own columns; see collections/README.md. */
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
}
