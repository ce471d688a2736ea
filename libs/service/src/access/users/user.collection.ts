import type { AuditNote } from '../../data/definition/change-recorder.js';
import { defineCollection } from '../../data/definition/define-collection.js';
import type { Identity, User } from '@items/dtos/contract';
import { CreateUserDto } from '@items/dtos';

/** Adds the field to the audit record, because a password change affects no column of `users`. */
export const PASSWORD_CHANGED: AuditNote = { changed: ['password'] };

/** Both columns are null for a user without an identity. */
export interface IdentityColumns {
  readonly identity_issuer: string | null;
  readonly identity_subject: string | null;
}

export function identityColumns(identity: Identity | null): IdentityColumns {
  return { identity_issuer: identity?.issuer ?? null, identity_subject: identity?.subject ?? null };
}

function identityOf({ identity_issuer: issuer, identity_subject: subject }: IdentityColumns): Identity | null {
  return issuer === null || subject === null ? null : { issuer, subject };
}

/** Password hashes are in `user_passwords`. SPEC §2, §4.1 */
export const userCollection = defineCollection<CreateUserDto, User, IdentityColumns>({
  name: 'users',
  singular: 'user',
  dto: CreateUserDto,
  onlyFromPrimary: true,
  sortableTimes: ['created_at'],
  countedFilters: [['role', 'disabled']],
  defaults: { role: 'viewer', disabled: false },
  hidden: ['identity_issuer', 'identity_subject'],
  derived: { identity: identityOf },
  audit: {
    subject: 'user',
    kinds: ['created', 'updated', 'deleted', 'password_changed'],
    updateKind: (changed) => (changed.join() === 'password' ? 'password_changed' : 'updated'),
  },
  events: { subject: 'user', owner: 'id', fields: ['id', 'role', 'disabled', 'created_at', 'updated_at'] },
});
