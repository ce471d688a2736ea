import type { Scope } from './scope.js';

/** How an OAuth client may get tokens. RFC 6749 §1.3 */
export const GRANT_TYPES = ['authorization_code', 'refresh_token', 'client_credentials'] as const;

/** How an OAuth client proves who it is at the token endpoint; `none`: it has no secret. RFC 7591 §2 */
export const CLIENT_AUTH_METHODS = ['client_secret_basic', 'none'] as const;

/** One of {@link CLIENT_AUTH_METHODS}. */
export type ClientAuthMethod = (typeof CLIENT_AUTH_METHODS)[number];

/** One of {@link GRANT_TYPES}. */
export type GrantType = (typeof GRANT_TYPES)[number];

/** What is sent to register an OAuth client; on replacement, what is left out stays as it is. SPEC §5 */
export interface ClientInput {
  /** 1–200 code points after trimming; shown to those who are asked for their consent. */
  readonly name: string;
  /** Compared character by character; https, or http on a loopback address. At most 20. */
  readonly redirect_uris?: readonly string[];
  /** What the client may ask for; never more than its creator holds. */
  readonly scopes?: readonly Scope[];
  /** Left out at creation: `authorization_code` and `refresh_token`. */
  readonly grant_types?: readonly GrantType[];
  /** Left out at creation: `client_secret_basic`. It never changes: a PUT may repeat it. */
  readonly token_endpoint_auth_method?: ClientAuthMethod;
}

/** An OAuth client as the service shows it. SPEC §5 */
export interface Client extends Required<ClientInput> {
  readonly id: string;
  /** The same as `id`, under the name that RFC 6749 has for it. */
  readonly client_id: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The answer to the registration of a client, and to the rotation of its secret. SPEC §5 */
export interface CreatedClient extends Client {
  /** Shown once, never stored; absent where the client has none. */
  readonly client_secret?: string;
}
