import type { OrderStatus } from '@items/contracts';
import { Column, Entity } from 'typeorm';

import { VersionedRow } from '../database/versioned-row.js';

/** A row of `orders`. It outlives its user. SPEC §2 */
@Entity('orders')
export class OrderEntity extends VersionedRow {
  @Column('uuid')
  user_id!: string;

  @Column('text')
  status!: OrderStatus;

  /** JSON of `{item_id, name, quantity, unit_price}[]`, the price in cents: never asked for but as a whole. */
  @Column('text')
  lines!: string;

  /** Cents. */
  @Column('bigint')
  total!: number;
}
