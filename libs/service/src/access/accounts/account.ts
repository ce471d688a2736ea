import type { Role, Scope } from '@items/dtos/contract';
import type { Permissions } from '../principal/permissions.js';

export interface Account {
  readonly id: string;
  readonly username: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly role: Role;
  readonly disabled: boolean;
  readonly scopes: ReadonlySet<Scope>;
  /** Increases when the password changes or the user is disabled. Credentials with a lower version are invalid. */
  readonly credentialsVersion: number;
}

export interface AccountRow extends Omit<Account, 'disabled' | 'scopes' | 'credentialsVersion'> {
  readonly disabled: number;
  readonly hash: string | null;
  readonly version: number;
}

export const SELECT_ACCOUNT = `SELECT u.id, u.username, u.name, u.email, u.role, u.disabled, nullif(p.hash, '') AS hash,
    coalesce(p.version, 0) AS version FROM users u LEFT JOIN user_passwords p ON p.user_id = u.id`;

export function toAccount(
  { hash: _hash, version, disabled, ...row }: AccountRow,
  permissions: Pick<Permissions, 'scopesOfRole'>,
): Account {
  const scopes = permissions.scopesOfRole(row.role);
  return { ...row, disabled: disabled === 1, scopes, credentialsVersion: version };
}
