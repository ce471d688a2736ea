import type { Resource } from './resource.js';
import type { Role, Scope } from './scope.js';

/** The body to create or replace a user. SPEC §2.2 */
export interface UserInput {
  /** 3–64 characters of `a-z 0-9 . _ -`; unique. */
  readonly username: string;
  /** 1–200 code points after trimming. */
  readonly name?: string | null;
  readonly email?: string | null;
  /** Default: `viewer` at creation, unchanged on replacement. */
  readonly role?: Role;
  /** Default: false at creation, unchanged on replacement. */
  readonly disabled?: boolean;
  /** In no response. 12–256 code points. Required at creation; unchanged if omitted on replacement. */
  readonly password?: string;
}

export interface Identity {
  /** The provider's `iss`, unchanged. */
  readonly issuer: string;
  /** The person's id at the provider, such as the claim `sub`. */
  readonly subject: string;
}

/** A user in a response. SPEC §2.2 */
export interface User extends Resource, Required<Omit<UserInput, 'password'>> {
  /** Set by the first login at the identity provider, or by an administrator. */
  readonly identity: Identity | null;
  /** Only in `/users/me`: the scopes of the request's credential. */
  readonly scopes?: readonly Scope[];
}

/** The body of `PUT /users/me/password`. The new password has 12–256 code points. SPEC §5.2 */
export interface PasswordChange {
  readonly current_password: string;
  readonly password: string;
}
