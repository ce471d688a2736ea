import type { RateLimit } from '@items/conventions';
import type { QuotaHolder } from '@items/throttling';

import { isLogin } from '../principal/is-login.js';
import type { Principal } from '../principal/principal.js';

/** Purpose of a request, which decides the quota that it counts in. */
export type QuotaUse = 'usual' | 'ending';

/** Quota of all keys of a user together, as a multiple of the usual quota. SPEC §8.1 */
export const KEYS_OF_A_USER = 10;

/** Requests of one login that end access. SPEC §8.1 */
export const ENDING_ACCESS: RateLimit = { requests: 60, seconds: 60 };

/** Requests of all sessions of one user together that end access. SPEC §8.1 */
export const ENDING_ACCESS_OF_SESSIONS: RateLimit = { requests: 600, seconds: 60 };

/** Name of the policy in the headers. */
const ENDING = 'ending';

/**
 * Returns the usual quota of a valid credential. More credentials of a user give no more requests.
 * @param usual quota of a credential.
 * @see SPEC §8.1, ADR 66
 */
export function quotaHolder(
  { kind, userId, credentialId, rateLimit, delegatedTo }: Principal,
  usual: RateLimit,
): QuotaHolder {
  // Keys of no user are the operator's, who sets the quota of each.
  if (userId === null) return { credentialId, rateLimit };
  if (kind !== 'api-key') return loginHolder(userId, delegatedTo);
  if (delegatedTo === undefined) {
    const ofAllKeys = { requests: usual.requests * KEYS_OF_A_USER, seconds: usual.seconds };
    return { credentialId, rateLimit, shared: { id: `keys:${userId}`, policy: 'keys', rateLimit: ofAllKeys } };
  }
  // Keys that an application created share the quota of its tokens, not the user's.
  const ofApplication = loginHolder(userId, delegatedTo);
  if (rateLimit === null) return ofApplication;
  const shared = { id: ofApplication.credentialId, policy: 'default', rateLimit: usual };
  return { credentialId, rateLimit, shared };
}

/** All logins of a user have one quota. @param clientId the application whose tokens for the user have one of their own. */
export function loginHolder(userId: string, clientId?: string): QuotaHolder {
  const application = clientId === undefined ? '' : `/client:${clientId}`;
  return { credentialId: `user:${userId}${application}`, rateLimit: null };
}

/**
 * Returns the quota in which a login counts a request that ends access. A thief with one credential of a user cannot use
 * up that of another. Undefined for a key and for a token of an application: their requests count as usual. SPEC §8.1
 */
export function endingHolder(principal: Principal): QuotaHolder | undefined {
  const { kind, userId, credentialId } = principal;
  if (userId === null || !isLogin(principal)) return undefined;
  if (kind === 'bearer') return sessionEndingHolder(userId, credentialId);
  // The id of an own strategy is that of all its users.
  const id = kind === 'strategy' ? `${credentialId}:${userId}` : credentialId;
  return { credentialId: `ending:${id}`, rateLimit: ENDING_ACCESS, policy: ENDING };
}

/** Returns this quota of a session. `/oauth/revoke` knows the session by the token that it revokes. */
export function sessionEndingHolder(userId: string, sessionId: string): QuotaHolder {
  return {
    credentialId: `ending:session:${sessionId}`,
    rateLimit: ENDING_ACCESS,
    policy: ENDING,
    shared: { id: `ending:sessions:${userId}`, policy: ENDING, rateLimit: ENDING_ACCESS_OF_SESSIONS },
  };
}
