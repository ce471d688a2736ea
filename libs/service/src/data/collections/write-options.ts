import type { Origin } from '../database/origin.js';
import type { RepeatableRequest, Replay } from '../idempotency/idempotency.js';

/**
 * Refuses a write that does not match the entity tag. Undefined accepts any state.
 * @throws {PreconditionFailedError} 412
 */
export type Precondition = ((etag: string) => void) | undefined;

export interface TransactionOptions {
  /** Caller who makes the changes. Default: the service itself. */
  readonly origin?: Origin | undefined;
}

/** Options of a transaction that creates a member at most once, even if its request is repeated. SPEC §4.4 */
export interface CreationRequest extends TransactionOptions {
  /** Path of the collection, for the location of the member. */
  readonly path: string;
  readonly repeatable?: RepeatableRequest | undefined;
  /** `secret` for a response that must not be stored. Default: `replayable`. */
  readonly replay?: Replay;
}
