import type { OrderStatus } from '@items/contracts';
import { Column, Entity } from 'typeorm';

import { VersionedRow } from '../database/versioned-row.js';

/** A row of `transitions`; `from` and `to` are words of SQL. decisions §3 */
@Entity('transitions')
export class TransitionEntity extends VersionedRow {
  @Column('uuid')
  order_id!: string;

  @Column('text')
  from_status!: OrderStatus;

  @Column('text')
  to_status!: OrderStatus;
}
