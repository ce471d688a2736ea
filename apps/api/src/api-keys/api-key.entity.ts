import { Column, Entity } from 'typeorm';

import { VersionedRow } from '../database/versioned-row.js';

/** A row of `api_keys`; its secret stands in `api_key_secrets`. SPEC §5 */
@Entity('api_keys')
export class ApiKeyEntity extends VersionedRow {
  @Column('text')
  name!: string;

  /** A JSON array. */
  @Column('text')
  scopes!: string;

  /** Milliseconds since the epoch. */
  @Column('bigint', { nullable: true })
  expires_at!: number | null;

  /** JSON of `{requests, seconds}`. */
  @Column('text', { nullable: true })
  rate_limit!: string | null;

  /** Milliseconds since the epoch. */
  @Column('bigint', { nullable: true })
  last_used_at!: number | null;

  /** Null for a key of the service's operator. */
  @Column('uuid', { nullable: true })
  user_id!: string | null;

  /** A JSON array. */
  @Column('text', { nullable: true })
  allowed_origins!: string | null;

  /** JSON of {@link StoredSecret}s, newest first: what the key shows of `api_key_secrets`. */
  @Column('text', { nullable: true })
  secrets!: string | null;
}
