import type { RateLimit } from '@items/conventions';
import type { QuotaHolder } from '@items/throttling';
import { isLogin, type Principal } from '../principal/principal.js';

export type QuotaUse = 'usual' | 'ending';

/** All keys of a user together have this multiple of the usual quota. SPEC §8.1 */
const KEYS_OF_A_USER = 10;

/** Quota of one login for requests that end access. SPEC §8.1 */
const ENDING_ACCESS: RateLimit = { requests: 60, seconds: 60 };

/** Quota of all sessions of a user for requests that end access. SPEC §8.1 */
const ENDING_ACCESS_OF_SESSIONS: RateLimit = { requests: 600, seconds: 60 };

const ENDING = 'ending';

/**
 * Further credentials of a user allow no more requests. SPEC §8.1, ADR 66
 * @param usual Default quota of a credential.
 */
export function quotaHolder(
  { kind, userId, credentialId, rateLimit, delegatedTo }: Principal,
  usual: RateLimit,
): QuotaHolder {
  // Keys without a user belong to the operator, who sets the quota of each.
  if (userId === null) return { credentialId, rateLimit };
  if (kind !== 'api-key') return loginHolder(userId, delegatedTo);
  if (delegatedTo === undefined) {
    const ofAllKeys = { requests: usual.requests * KEYS_OF_A_USER, seconds: usual.seconds };
    return { credentialId, rateLimit, shared: { id: `keys:${userId}`, policy: 'keys', rateLimit: ofAllKeys } };
  }
  // Keys that an application created share the quota of its tokens, not that of the user.
  const ofApplication = loginHolder(userId, delegatedTo);
  if (rateLimit === null) return ofApplication;
  const shared = { id: ofApplication.credentialId, policy: 'default', rateLimit: usual };
  return { credentialId, rateLimit, shared };
}

/** @param clientId An application, whose tokens for the user have a separate quota. */
export function loginHolder(userId: string, clientId?: string): QuotaHolder {
  const application = clientId === undefined ? '' : `/client:${clientId}`;
  return { credentialId: `user:${userId}${application}`, rateLimit: null };
}

/**
 * A thief with one credential of a user cannot use up the quota for ending access of another one. Undefined for a key
 * or a token of an application: their requests count as usual. SPEC §8.1
 */
export function endingHolder(principal: Principal): QuotaHolder | undefined {
  const { kind, userId, credentialId } = principal;
  if (userId === null || !isLogin(principal)) return undefined;
  if (kind === 'bearer') return sessionEndingHolder(userId, credentialId);
  // An own strategy has one credential id for all its users.
  const id = kind === 'strategy' ? `${credentialId}:${userId}` : credentialId;
  return { credentialId: `ending:${id}`, rateLimit: ENDING_ACCESS, policy: ENDING };
}

/** `/oauth/revoke` finds the session by the token that it revokes. */
export function sessionEndingHolder(userId: string, sessionId: string): QuotaHolder {
  return {
    credentialId: `ending:session:${sessionId}`,
    rateLimit: ENDING_ACCESS,
    policy: ENDING,
    shared: { id: `ending:sessions:${userId}`, policy: ENDING, rateLimit: ENDING_ACCESS_OF_SESSIONS },
  };
}

/**
 * The key is the user of the credential. An application is one unit with the keys that it created; every other key is a
 * unit of its own. SPEC §4, ADR 105
 */
export function fairnessKeyOf(principal: Principal): string {
  const { userId, credentialId, delegatedTo } = principal;
  if (userId === null) return `credential:${credentialId}`;
  if (isLogin(principal)) return `user:${userId}`;
  return `user:${userId} ${delegatedTo === undefined ? credentialId : `client:${delegatedTo}`}`;
}
