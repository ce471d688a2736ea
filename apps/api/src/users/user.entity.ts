import type { Role } from '@items/contracts';
import { Column, Entity } from 'typeorm';

import { VersionedRow } from '../database/versioned-row.js';

/** A row of `users`; the password hash stands in `user_passwords`. SPEC §2 */
@Entity('users')
export class UserEntity extends VersionedRow {
  @Column('text')
  username!: string;

  @Column('text', { nullable: true })
  name!: string | null;

  @Column('text', { nullable: true })
  email!: string | null;

  @Column('text')
  role!: Role;

  /** 0 or 1. */
  @Column('smallint')
  disabled!: number;
}
