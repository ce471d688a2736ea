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
 * Says for whom a request of a valid credential counts, so that more credentials give no more requests.
 * @see SPEC §8.1, ADR 66
 */
export class QuotaHolders {
  private readonly keysOfAUser: RateLimit;
  /** Made once a principal, not once a request. */
  private readonly holders = {
    usual: new WeakMap<Principal, QuotaHolder>(),
    ending: new WeakMap<Principal, QuotaHolder>(),
  };

  /** @param usual quota of a credential. */
  constructor(usual: RateLimit) {
    this.keysOfAUser = { requests: usual.requests * KEYS_OF_A_USER, seconds: usual.seconds };
  }

  holderOf(principal: Principal, use: QuotaUse): QuotaHolder {
    let holder = this.holders[use].get(principal);
    if (holder === undefined) {
      holder = use === 'ending' ? endingHolder(principal) : this.usualHolder(principal);
      this.holders[use].set(principal, holder);
    }
    return holder;
  }

  private usualHolder({ kind, userId, credentialId, rateLimit, delegatedTo }: Principal): QuotaHolder {
    // Keys of no user are the operator's, who sets the quota of each.
    if (userId === null) return { credentialId, rateLimit };
    if (kind !== 'api-key') return loginHolder(userId, delegatedTo);
    return { credentialId, rateLimit, shared: { id: `keys:${userId}`, policy: 'keys', rateLimit: this.keysOfAUser } };
  }
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
