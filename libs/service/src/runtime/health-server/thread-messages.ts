import type { HealthAddress } from './health-server.js';

export interface ThreadOptions extends HealthAddress {
  readonly headers: Readonly<Record<string, string>>;
}

/** The error itself would lose its code in a message. */
export type ThreadReport =
  { readonly url: string } | { readonly failure: Pick<NodeJS.ErrnoException, 'message' | 'code' | 'syscall'> };
