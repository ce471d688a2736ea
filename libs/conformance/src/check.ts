import { type CheckContext } from './context.js';
import { type Unmet } from './verdict.js';
import { type Need } from './discovery/need.js';

/** As the sentence's own words are: only `must` and `should` can fail. */
export type Level = 'must' | 'should' | 'may';

/** Whose sentence it is: the specification's, HTTP's, or a decision's on what the specification leaves open. */
export type Source = 'specification' | 'http' | 'decisions';

/** One sentence, and how it is asked of a service. */
export interface Check {
  /** Section, subject, claim: `4.cursor.no-duplicates`. */
  readonly id: string;
  /** The specification's section, such as `§4`. */
  readonly section: string;
  readonly source: Source;
  readonly level: Level;
  /** No other check has the same one. */
  readonly sentence: string;
  readonly needs: readonly Need[];
  /**
   * @throws {Unmet} the service does otherwise.
   * @throws {NotApplicable} the service lacks what the sentence speaks of.
   */
  run(context: CheckContext): Promise<void>;
  /** A fault of this kind that any request of the run has shown. Called after all checks. */
  observed?(context: CheckContext): Unmet | undefined;
}

/** What was judged about one sentence. `known`: it fails, as the list of known failures says; `fixed`: it no longer does. */
export type Status = 'passed' | 'failed' | 'known' | 'fixed' | 'not_applicable';
