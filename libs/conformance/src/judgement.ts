import { type Check, type Status } from './check.js';
import { type Profile } from './checks/all-checks.js';
import { type PagingScope } from './paging-scope.js';

/** What was judged about one sentence, as every report shows it. No text of it holds a credential. */
export interface Result extends Pick<Check, 'id' | 'section' | 'source' | 'sentence' | 'level'> {
  readonly status: Status;
  /** Why it is not applicable. */
  readonly reason?: string;
  readonly failure?: Failure;
}

/** A request that shows a failure, and its response. */
export interface Failure {
  readonly method: string;
  readonly url: string;
  /** A command that repeats the request. */
  readonly curl: string;
  /** The same command, where it may be broken into lines. */
  readonly parts: readonly string[];
  readonly expected: string;
  readonly came: string;
}

export interface Judgement {
  readonly url: string;
  readonly profile: Profile;
  readonly conformant: boolean;
  readonly paging: PagingScope;
  readonly checks: readonly Result[];
  /** What a pass does not mean, what is worth knowing (`ignored_parameter`), and what could not be deleted. */
  readonly notes: readonly string[];
  readonly seconds: number;
}
