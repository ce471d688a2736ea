import type { Origin } from '../database/origin.js';
import type { RepeatableRequest, Replay } from '../idempotency/idempotency.js';

/**
 * Throws for an entity tag that does not match. Undefined accepts any state.
 * @throws {PreconditionFailedError} 412
 */
export type Precondition = ((etag: string) => void) | undefined;

export interface TransactionOptions {
  /** Default: the service itself. */
  readonly origin?: Origin | undefined;
}

/** With `repeatable`, creates a member at most once. SPEC §4.4 */
export interface CreationRequest extends TransactionOptions {
  readonly path: string;
  readonly repeatable?: RepeatableRequest | undefined;
  /** `secret` forbids storing the response. Default: `replayable`. */
  readonly replay?: Replay;
}
