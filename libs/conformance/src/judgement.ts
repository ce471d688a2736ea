import { type Check, type Status } from './check.js';
import { type Profile } from './checks/all-checks.js';
import { type PagingScope } from './paging-scope.js';

/** The result of a check in every report. Contains no credential. */
export interface Result extends Pick<Check, 'id' | 'section' | 'source' | 'sentence' | 'level'> {
  readonly status: Status;
  /** Why the check is not applicable. */
  readonly reason?: string;
  readonly failure?: Failure;
}

/** A request that shows a failure, and its response. */
export interface Failure {
  readonly method: string;
  readonly url: string;
  /** A command that repeats the request. */
  readonly curl: string;
  /** The same command in parts, between which lines may break. */
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
  /** Limits of a pass, remarks (`ignored_parameter`), and resources that could not be deleted. */
  readonly notes: readonly string[];
  readonly seconds: number;
}
