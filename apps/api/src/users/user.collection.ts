import { ROLES, type Role, type User, type UserInput } from '@items/contracts';
import { booleanFilter, oneOf } from '@items/paging';

import type { CollectionDefinition, Own } from '../collections/collection.js';
import { UserEntity } from './user.entity.js';

const DEFAULT_ROLE: Role = 'viewer';

/** What the collection of users says about itself. SPEC §2, decisions §4 */
export const userCollection: CollectionDefinition<UserEntity, User, UserProfile> = {
  name: 'users',
  singular: 'user',
  entity: UserEntity,
  sortable: ['username', 'created_at'],
  filters: { role: oneOf(ROLES), disabled: booleanFilter },
  counted: [['role'], ['disabled'], ['role', 'disabled']],
  present: (row) => ({
    id: row.id,
    username: row.username,
    name: row.name,
    email: row.email,
    role: row.role,
    disabled: row.disabled === 1,
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
  }),
  accept: (input) => ({ role: DEFAULT_ROLE, disabled: 0, ...acceptProfile(input) }),
};

/** A valid request, as far as the collection goes. */
export type UserProfile = Pick<UserInput, 'username'> & {
  readonly [Field in 'name' | 'email']: string | null;
} & { readonly role: Role | undefined; readonly disabled: boolean | undefined };

type Profile = Pick<UserEntity, 'username' | 'name' | 'email'> & Partial<Own<UserEntity>>;

/** As columns: what grants or refuses access is never changed by leaving it out. decisions §2 */
export function acceptProfile({ username, name, email, role, disabled }: UserProfile): Profile {
  return {
    username,
    name,
    email,
    ...(role !== undefined && { role }),
    ...(disabled !== undefined && { disabled: Number(disabled) }),
  };
}
