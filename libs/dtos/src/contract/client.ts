import type { Resource } from './resource.js';
import type { Scope } from './scope.js';

export const GRANT_TYPES = ['authorization_code', 'refresh_token', 'client_credentials'] as const;

/** Authentication at the token endpoint. A client with `none` has no secret. RFC 7591 §2 */
export const CLIENT_AUTH_METHODS = ['client_secret_basic', 'none'] as const;

export type ClientAuthMethod = (typeof CLIENT_AUTH_METHODS)[number];

export type GrantType = (typeof GRANT_TYPES)[number];

/** The body to register or replace an OAuth client; on replacement, omitted fields stay unchanged. SPEC §5 */
export interface ClientInput {
  /** 1–200 code points after trimming; shown on the consent page. */
  readonly name: string;
  /**
   * At most 20: https, or http on a loopback host. Compared exactly, except the port of `http://127.0.0.1` and
   * `http://[::1]`.
   */
  readonly redirect_uris?: readonly string[];
  /** A subset of the scopes of the creator. */
  readonly scopes?: readonly Scope[];
  /** Default at creation: `authorization_code` and `refresh_token`. */
  readonly grant_types?: readonly GrantType[];
  /** Default at creation: `client_secret_basic`. Immutable: a PUT may repeat it. */
  readonly token_endpoint_auth_method?: ClientAuthMethod;
}

/** An OAuth client in a response. SPEC §5 */
export interface Client extends Resource, Required<ClientInput> {
  /** Equal to `id`: RFC 6749 uses this name. */
  readonly client_id: string;
}

/** The response to the registration of a client, and to the rotation of its secret. SPEC §5 */
export interface CreatedClient extends Client {
  /** Shown once, never stored; absent for a client without a secret. */
  readonly client_secret?: string;
}
