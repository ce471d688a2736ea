import { Column, Entity } from 'typeorm';

import { VersionedRow } from '../../database/versioned-row.js';

/** A row of `clients`; its secrets stand in `client_secrets`. SPEC §5 */
@Entity('clients')
export class ClientEntity extends VersionedRow {
  @Column('text')
  name!: string;

  /** A JSON array. */
  @Column('text')
  redirect_uris!: string;

  /** A JSON array. */
  @Column('text')
  scopes!: string;

  /** A JSON array. */
  @Column('text')
  grant_types!: string;
}
