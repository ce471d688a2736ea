import type { Role } from './role.js';
import type { Scope } from './scope.js';

/** What a client sends to create or to replace a user. SPEC §2.2 */
export interface UserInput {
  /** 3–64 of `a-z 0-9 . _ -`; unique. */
  readonly username: string;
  /** 1–200 code points after trimming. */
  readonly name?: string | null;
  /** At most 254 characters. */
  readonly email?: string | null;
  /** Left out: `viewer` on creation, else as it was. */
  readonly role?: Role;
  /** Left out: false on creation, else as it was. */
  readonly disabled?: boolean;
  /** Never shown. 12–256 code points. Needed on creation; left out on replacement it stays as it was. */
  readonly password?: string;
}

/** Whom an identity provider knows a user as. */
export interface Identity {
  /** As it stands in the provider's `iss`. */
  readonly issuer: string;
  /** The provider's name of the person, such as `sub`. */
  readonly subject: string;
}

/** A user as the service shows it. SPEC §2 */
export interface User extends Required<Omit<UserInput, 'password'>> {
  /** Set at the first login by the identity provider, or by an administrator. */
  readonly identity: Identity | null;
  /** Only of `/users/me`: what the credential of the request may do. */
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
