import { Column, Entity } from 'typeorm';

import { VersionedRow } from '../../database/versioned-row.js';

/** A row of `grants`: one for each user and client. SPEC §5 */
@Entity('grants')
export class GrantEntity extends VersionedRow {
  @Column('uuid')
  user_id!: string;

  @Column('uuid')
  client_id!: string;

  @Column('text')
  client_name!: string;

  /** A JSON array. */
  @Column('text')
  scopes!: string;
}
