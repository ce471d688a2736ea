/** What is sent to log in. SPEC §5 */
export interface SessionInput {
  readonly username: string;
  readonly password: string;
  /** Scopes separated by blanks; null for all that the user has. */
  readonly scope?: string | null;
}

/** The answer to a login, in the words of RFC 6749 §5.1. SPEC §5 */
export interface CreatedSession {
  readonly id: string;
  readonly token_type: 'Bearer';
  /** Opaque; shown once, never stored. */
  readonly access_token: string;
  /** Seconds. */
  readonly expires_in: number;
  /** Good for one use at `POST /oauth/token`. */
  readonly refresh_token: string;
  /** Seconds. */
  readonly refresh_expires_in: number;
  /** What was granted, separated by blanks. */
  readonly scope: string;
}

/** A login of a user that has not ended. SPEC §5 */
export interface Session {
  readonly id: string;
  readonly user_id: string;
  readonly scope: string;
  /** RFC 3339; null before the first use. Written in batches, so it may lag by some seconds. */
  readonly last_used_at: string | null;
  /** RFC 3339; when the refresh token ends, unless it is used before. */
  readonly expires_at: string;
  readonly created_at: string;
  readonly updated_at: string;
}
