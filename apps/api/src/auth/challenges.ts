import { UnauthorizedError } from '@items/errors';

import type { Presented } from './presented-credential.js';

const REALM = 'realm="items"';
const BASIC = `Basic ${REALM}, charset="UTF-8"`;
const API_KEY = `ApiKey ${REALM}, header="X-API-Key"`;
const CHALLENGES: readonly string[] = [`Bearer ${REALM}`, BASIC, API_KEY];
/** RFC 6750 §3.1 */
const BAD_BEARER_CHALLENGES: readonly string[] = [`Bearer ${REALM}, error="invalid_token"`, BASIC, API_KEY];

/** 401, with a challenge for each method. It never tells why a credential is not valid. SPEC §5 rule 1 */
export function unauthorized(presented: Presented): UnauthorizedError {
  if (presented.method === 'none') {
    return new UnauthorizedError('This operation needs a credential, such as an API key in X-API-Key.', CHALLENGES);
  }
  const isBearer = presented.method === 'authorization' && presented.scheme === 'bearer';
  return new UnauthorizedError('The credential is not valid.', isBearer ? BAD_BEARER_CHALLENGES : CHALLENGES);
}
