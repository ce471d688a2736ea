import type { Scope } from './scope.js';

/** A user's approval that a client acts for them. SPEC §5 */
export interface Grant {
  readonly id: string;
  readonly user_id: string;
  readonly client_id: string;
  /** The name of the client at the time of the approval. */
  readonly client_name: string;
  readonly scopes: readonly Scope[];
  readonly created_at: string;
  readonly updated_at: string;
}
