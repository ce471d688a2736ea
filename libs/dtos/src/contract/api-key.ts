import type { RateLimit } from '@items/conventions';
import type { Resource } from './resource.js';
import type { Scope } from './scope.js';
import type { WebhookSecret } from './webhook.js';

/** The body to create or replace an API key; on replacement, omitted fields stay unchanged. SPEC §5 */
export interface ApiKeyInput {
  /** 1–200 code points after trimming. */
  readonly name: string;
  /** A subset of the scopes of the creator. */
  readonly scopes?: readonly Scope[];
  /** RFC 3339; null for a key that does not expire. */
  readonly expires_at?: string | null;
  /** Null: the default quota of the service. */
  readonly rate_limit?: RateLimit | null;
  /** Origins of the web pages that may use the key. Such a key may only read. Null: any client. */
  readonly allowed_origins?: readonly string[] | null;
}

/** A secret of a key; at most two are valid at the same time. Times are RFC 3339. */
export interface ApiKeySecret extends WebhookSecret {
  /** Null before the first use; may lag by some seconds. */
  readonly last_used_at: string | null;
}

/** An API key in a response. Only the responses to creation and rotation contain the secret. SPEC §5 */
export interface ApiKey extends Resource, Required<ApiKeyInput> {
  /** Owner; null for a key of the operator. */
  readonly user_id: string | null;
  /** The OAuth application that created the key, or null. The key ends with the user's approval of the application. */
  readonly client_id: string | null;
  /** Secrets that are valid, newest first. */
  readonly secrets: readonly ApiKeySecret[];
  /** Null before the first use; may lag by some seconds. */
  readonly last_used_at: string | null;
}

/** The body of `POST /api-keys/{id}/rotations`. SPEC §5 */
export interface RotationInput {
  /** Grace period of the previous secret: 0–604800, default 86400. */
  readonly grace_seconds?: number;
}

/** The response to the creation of a key, and to a rotation. SPEC §5 */
export interface CreatedApiKey extends ApiKey {
  /** The secret, `itk_…`: shown once, never stored. */
  readonly key: string;
}
