import type { Role } from './role.js';
import type { Scope } from './scope.js';

/** The body to create or replace a user. SPEC §2.2 */
export interface UserInput {
  /** 3–64 of `a-z 0-9 . _ -`; unique. */
  readonly username: string;
  /** 1–200 code points after trimming. */
  readonly name?: string | null;
  /** At most 254 characters. */
  readonly email?: string | null;
  /** Default: `viewer` at creation, unchanged on replacement. */
  readonly role?: Role;
  /** Default: false at creation, unchanged on replacement. */
  readonly disabled?: boolean;
  /** Never shown. 12–256 code points. Required at creation; unchanged if omitted on replacement. */
  readonly password?: string;
}

/** The name of a user at an identity provider. */
export interface Identity {
  /** The provider's `iss`, unchanged. */
  readonly issuer: string;
  /** The provider's name of the person, such as `sub`. */
  readonly subject: string;
}

/** A user in a response. SPEC §2 */
export interface User extends Required<Omit<UserInput, 'password'>> {
  /** Set at the first login by the identity provider, or by an administrator. */
  readonly identity: Identity | null;
  /** Only of `/users/me`: the scopes of the request's credential. */
  readonly scopes?: readonly Scope[];
  /** UUIDv7, made by the service. */
  readonly id: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly updated_at: string;
}

/** The body of `PUT /users/me/password`. SPEC §5.2 */
export interface PasswordChange {
  readonly current_password: string;
  /** 12–256 code points. */
  readonly password: string;
}
