import { Column, Entity } from 'typeorm';

import { VersionedRow } from '../database/versioned-row.js';

/** A row of `items`. SPEC §2 */
@Entity('items')
export class ItemEntity extends VersionedRow {
  @Column('text')
  name!: string;

  @Column('text', { nullable: true })
  description!: string | null;

  @Column('text', { nullable: true })
  color!: string | null;

  /** Cents: exact, unlike a binary fraction. */
  @Column('bigint', { nullable: true })
  price!: number | null;
}
