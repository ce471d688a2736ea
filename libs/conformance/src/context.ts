import { type Findings } from './discovery/findings.js';
import { type QuietWalks } from './lists/quiet-tally.js';
import { type OwnItems } from './lists/own-items.js';
import { type Service } from './service/service.js';

/** What a check has to ask with. */
export interface CheckContext {
  readonly service: Service;
  readonly found: Findings;
  readonly items: OwnItems;
  readonly quiet: QuietWalks;
  /** A word that no other run uses. */
  readonly word: (prefix: string) => string;
  /** Does something once for all checks that build on it. */
  readonly once: <T>(key: string, make: () => Promise<T>) => Promise<T>;
}
