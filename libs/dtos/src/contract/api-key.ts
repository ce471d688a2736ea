import type { RateLimit } from '@items/conventions';

import type { Scope } from './scope.js';

/** What a client sends to create an API key; on replacement, what is left out stays as it is. SPEC §5 */
export interface ApiKeyInput {
  /** 1–200 code points after trimming. */
  readonly name: string;
  /** Never more than its creator holds. */
  readonly scopes?: readonly Scope[];
  /** RFC 3339; null for a key that does not expire. */
  readonly expires_at?: string | null;
  /** Null for the service's default. */
  readonly rate_limit?: RateLimit | null;
  /** For a key in client-side code: the pages that may use it, as origins. Such a key may only read. Null: any client. */
  readonly allowed_origins?: readonly string[] | null;
}

/** One of at most two secrets of a key that are valid at once. */
export interface ApiKeySecret {
  readonly created_at: string;
  /** When its grace ends; null for the current one. */
  readonly expires_at: string | null;
  /** Null before the first use; may lag by some seconds. */
  readonly last_used_at: string | null;
}

/** An API key as the service shows it; its secret is shown only in the answer to creation. SPEC §5 */
export interface ApiKey extends Required<ApiKeyInput> {
  readonly id: string;
  /** Whose it is; null for a key that the service's operator made. */
  readonly user_id: string | null;
  /** The OAuth application that made it for its user, and with whose approval it ends; null for any other. */
  readonly client_id: string | null;
  /** The valid ones, newest first. */
  readonly secrets: readonly ApiKeySecret[];
  /** RFC 3339; null before the first use. Written in batches, so it may lag by some seconds. */
  readonly last_used_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The body of `POST /api-keys/{id}/rotations`. SPEC §5 */
export interface RotationInput {
  /** How long the former secret works on: 0–604800, default 86400. */
  readonly grace_seconds?: number;
}

/** The answer to the creation of a key, and to a rotation. SPEC §5 */
export interface CreatedApiKey extends ApiKey {
  /** The secret itself, `itk_…`: shown once, never stored. */
  readonly key: string;
}
