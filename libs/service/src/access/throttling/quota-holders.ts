import type { RateLimit } from '@items/conventions';
import type { QuotaHolder } from '@items/throttling';

import type { Principal } from '../principal/principal.js';

/** Which of a caller's quotas a request counts in. */
export type QuotaUse = 'usual' | 'ending';

/** All keys of a user together may send so many times the usual quota. SPEC §8.1 */
export const KEYS_OF_A_USER = 10;

/** What ends access, of one user: a thief who uses up the login's quota cannot keep the owner out. SPEC §8.1 */
export const ENDING_ACCESS: RateLimit = { requests: 60, seconds: 60 };

/**
 * For whom a request of a valid credential counts, so that more credentials give no more requests.
 * @param usual quota of a credential.
 * @see SPEC §8.1, ADR 66
 */
export function quotaHolder(principal: Principal, use: QuotaUse, usual: RateLimit): QuotaHolder {
  if (use === 'ending') return endingHolder(principal);
  const { kind, userId, credentialId, rateLimit, delegatedTo } = principal;
  // Keys of no user are the operator's, who sets the quota of each.
  if (userId === null) return { credentialId, rateLimit };
  if (kind !== 'api-key') return loginHolder(userId, delegatedTo);
  const ofAllKeys = { requests: usual.requests * KEYS_OF_A_USER, seconds: usual.seconds };
  return { credentialId, rateLimit, shared: { id: `keys:${userId}`, policy: 'keys', rateLimit: ofAllKeys } };
}

/** All logins of a user have one quota. @param clientId the application whose tokens for the user have one of their own. */
export function loginHolder(userId: string, clientId?: string): QuotaHolder {
  const application = clientId === undefined ? '' : `/client:${clientId}`;
  return { credentialId: `user:${userId}${application}`, rateLimit: null };
}

/** All credentials of a user have one quota to end access. */
export function endingHolder({ userId, credentialId }: Pick<Principal, 'userId' | 'credentialId'>): QuotaHolder {
  const id = userId === null ? credentialId : `user:${userId}`;
  return { credentialId: `ending:${id}`, rateLimit: ENDING_ACCESS, policy: 'ending' };
}
