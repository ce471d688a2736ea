import type { HealthAddress } from './health-server.js';

export interface ThreadOptions extends HealthAddress {
  /** Headers of every response. */
  readonly headers: Readonly<Record<string, string>>;
}

/** First message of the thread: its address, or why it cannot listen. Sending the error itself would lose its code. */
export type ThreadReport =
  { readonly url: string } | { readonly failure: Pick<NodeJS.ErrnoException, 'message' | 'code' | 'syscall'> };
