import { type Findings, type Need } from './discovery/findings.js';
import { type OwnItems } from './lists/own-items.js';
import { type QuietWalks } from './lists/quiet-tally.js';
import { type Service } from './service/service.js';
import { type Unmet } from './verdict.js';

/** A violated `must` or `should` fails the check. A violated `may` does not. */
export type Level = 'must' | 'should' | 'may';

/** `specification`: the seed specification. `decisions`: our own rules on points that it leaves open. */
export type Source = 'specification' | 'http' | 'decisions';

/** A sentence of a specification, with its test. */
export interface Check {
  /** Section, subject, claim: `4.cursor.no-duplicates`. */
  readonly id: string;
  readonly section: string;
  readonly source: Source;
  readonly level: Level;
  readonly sentence: string;
  readonly needs: readonly Need[];
  /**
   * @throws {Unmet} The service violates the sentence.
   * @throws {NotApplicable} The service does not have the feature that the sentence is about.
   */
  run(context: CheckContext): Promise<void>;
  /** Reports a fault in any request of the run. Called after all checks. */
  observed?(context: CheckContext): Unmet | undefined;
}

/** `known`: fails, and is on the list of known failures; `fixed`: passes, but is on the list. */
export type Status = 'passed' | 'failed' | 'known' | 'fixed' | 'not_applicable';

export interface CheckContext {
  readonly service: Service;
  readonly found: Findings;
  readonly items: OwnItems;
  readonly quiet: QuietWalks;
  /** Makes a word that differs in each call, and in each run without a seed. */
  readonly word: (prefix: string) => string;
  /** Makes a unique word without hyphens, of at most 24 characters. */
  readonly label: (prefix: string) => string;
  /** Runs a function once for all checks that use the same key, and returns its result. */
  readonly once: <T>(key: string, make: () => Promise<T>) => Promise<T>;
}
