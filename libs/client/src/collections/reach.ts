import type { Retry } from '../http/retry.js';
import type { Transport } from '../http/transport.js';

/** What a collection is reached by. */
export interface Reach {
  readonly transport: Transport;
  readonly retry: Retry;
  readonly signal: AbortSignal | undefined;
  /** Longest wait for the whole answer to one attempt. */
  readonly timeoutMs: number;
}
