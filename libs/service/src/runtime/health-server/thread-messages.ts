import type { HealthAddress } from './health-server.js';

/** What the thread is started with. */
export interface ThreadOptions extends HealthAddress {
  /** Of every answer. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What the thread says once: where it listens, or why it does not. An error would lose its code on the way. */
export type ThreadReport =
  { readonly url: string } | { readonly failure: Pick<NodeJS.ErrnoException, 'message' | 'code' | 'syscall'> };
