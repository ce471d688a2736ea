import { pause, type Retry } from '../http/retry.js';
import { withSignals } from '../http/signals.js';
import type { Transport } from '../http/transport.js';

export interface Reach {
  /** Ends in a slash. */
  readonly baseUrl: string;
  readonly transport: Transport;
  readonly retry: Retry;
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
}

/** @throws The abort reason of the client's signal or the call's own. */
export function pauseFor({ retry, signal }: Reach, ms: number, own: AbortSignal | undefined): Promise<void> {
  return withSignals([signal, own], undefined, (either) => pause(retry, ms, either));
}
