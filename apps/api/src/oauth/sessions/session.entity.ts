import { Column, Entity } from 'typeorm';

import { VersionedRow } from '../../database/versioned-row.js';

/** A row of `sessions`; its id is that of its authorization. SPEC §5 */
@Entity('sessions')
export class SessionEntity extends VersionedRow {
  @Column('uuid')
  user_id!: string;

  /** Scopes separated by blanks. */
  @Column('text')
  scope!: string;

  /** Milliseconds since the epoch. */
  @Column('bigint', { nullable: true })
  last_used_at!: number | null;

  /** Milliseconds since the epoch. */
  @Column('bigint')
  expires_at!: number;
}
