import { type Check, type Status } from './check.js';
import { type Profile } from './checks/all-checks.js';

/** What was judged about one sentence, as every report shows it. No text of it holds a credential. */
export interface Result extends Pick<Check, 'id' | 'section' | 'source' | 'sentence' | 'level'> {
  readonly status: Status;
  /** Why it is not applicable. */
  readonly reason?: string;
  readonly failure?: { readonly curl: string; readonly expected: string; readonly came: string };
}

export interface Judgement {
  readonly url: string;
  readonly profile: Profile;
  readonly conformant: boolean;
  readonly checks: readonly Result[];
  /** What a pass does not mean, and what could not be deleted again. */
  readonly notes: readonly string[];
  readonly seconds: number;
}
