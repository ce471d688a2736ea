import type { Presented } from '../credentials/requests/presented-credential.js';
import type { ApiError } from '@items/conventions';
import type { QuotaState } from '@items/throttling';

import type { Principal } from '../principal/principal.js';

/** What is known of a request before its route is looked at. */
export interface AdmissionResult {
  readonly presented: Presented;
  /** Null without a valid credential. */
  readonly principal: Principal | null;
  /** Why every route refuses the request, for any caller. */
  readonly refusal: ApiError | null;
  /** Why it is not known whether the credential is valid, such as a database that is down. */
  readonly failure: Error | null;
  readonly quota: QuotaState;
}
