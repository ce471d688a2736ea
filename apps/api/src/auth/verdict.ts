import type { ApiError } from '@items/errors';

import type { Standing } from '../throttling/quota.js';
import type { Presented } from './presented-credential.js';
import type { Principal } from './principal.js';

/** What is known of a request before its route is looked at. */
export interface Verdict {
  readonly presented: Presented;
  /** Null without a valid credential. */
  readonly principal: Principal | null;
  /** Why every route refuses the request, whoever makes it. */
  readonly refusal: ApiError | null;
  /** Why nobody could tell whether the credential is valid, such as a database that is down. */
  readonly failure: Error | null;
  readonly standing: Standing;
}
