import type { Scope } from './scope.js';

/** What a user has approved: that a client acts for them. SPEC §5 */
export interface Grant {
  readonly id: string;
  readonly user_id: string;
  readonly client_id: string;
  /** As it was called when it was approved. */
  readonly client_name: string;
  readonly scopes: readonly Scope[];
  readonly created_at: string;
  readonly updated_at: string;
}
