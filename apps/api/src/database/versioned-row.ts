import { Column, PrimaryColumn } from 'typeorm';

/** What every row of a collection carries beside its own columns; see ../collections/README.md. */
export abstract class VersionedRow {
  /** UUIDv7: its order is the order of creation. */
  @PrimaryColumn('uuid')
  id!: string;

  /** Milliseconds since the epoch, as in the id. */
  @Column('bigint')
  created_at!: number;

  /** Milliseconds since the epoch. */
  @Column('bigint')
  updated_at!: number;

  /** The lane of the row's last write. */
  @Column('smallint')
  lane!: number;

  /** The time of the row's last write on the clock of its lane. */
  @Column('bigint')
  seq!: number;
}
