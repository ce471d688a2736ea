import { type Check, type Status } from './check.js';
import { type Profile } from './checks/all-checks.js';
import { type PagingScope } from './lists/quiet-tally.js';

/** Result of a check. Contains no credentials, so that every report can show it. */
export interface Result extends Pick<Check, 'id' | 'section' | 'source' | 'sentence' | 'level'> {
  readonly status: Status;
  readonly reason?: string;
  readonly failure?: Failure;
}

export interface Failure {
  readonly method: string;
  readonly url: string;
  /** A command that repeats the request. It consists of `parts`; lines may break only between two parts. */
  readonly curl: string;
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
  /** Sections that could not be judged, remarks (`ignored_parameter`), and resources that could not be deleted. */
  readonly notes: readonly string[];
  readonly seconds: number;
}
