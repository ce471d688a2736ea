import type { Resource } from './resource.js';
import type { Scope } from './scope.js';

export interface SessionInput {
  readonly username: string;
  readonly password: string;
  /** Scopes separated by spaces; null: all scopes of the user. */
  readonly scope?: string | null;
}

/** The response to a login, with the names of RFC 6749 §5.1. SPEC §5 */
export interface CreatedSession {
  readonly id: string;
  readonly token_type: 'Bearer';
  /** Tokens are opaque, shown once, and never stored. Times are in seconds. */
  readonly access_token: string;
  readonly expires_in: number;
  /** Valid for one use at `POST /oauth/token`. */
  readonly refresh_token: string;
  readonly refresh_expires_in: number;
  /** Scopes that were granted, separated by spaces. */
  readonly scope: string;
}

export interface Session extends Resource {
  readonly user_id: string;
  readonly scope: string;
  /** RFC 3339; null before the first use; may lag by some seconds. */
  readonly last_used_at: string | null;
  /** RFC 3339; expiry of the current refresh token. */
  readonly expires_at: string;
}

/** A user's approval that a client acts for them. SPEC §5 */
export interface Grant extends Resource {
  readonly user_id: string;
  readonly client_id: string;
  /** The name of the client at the time of the approval. */
  readonly client_name: string;
  readonly scopes: readonly Scope[];
}
