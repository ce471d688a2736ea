import { type Findings } from './discovery/findings.js';
import { type QuietWalks } from './lists/quiet-tally.js';
import { type OwnItems } from './lists/own-items.js';
import { type Service } from './service/service.js';

export interface CheckContext {
  readonly service: Service;
  readonly found: Findings;
  readonly items: OwnItems;
  readonly quiet: QuietWalks;
  /** Makes a word that is unique to this run. */
  readonly word: (prefix: string) => string;
  /** Makes such a word without hyphens, of at most 24 characters. */
  readonly label: (prefix: string) => string;
  /** Runs a function once for all checks that share a key. */
  readonly once: <T>(key: string, make: () => Promise<T>) => Promise<T>;
}
