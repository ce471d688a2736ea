import type { RateLimit } from '@items/conventions';
import type { QuotaHolder } from '@items/throttling';
import { isLogin, type Principal } from '../principal/principal.js';

/**
 * `revocation`: a separate quota for requests that end access. Otherwise, a stolen credential could prevent its own
 * revocation. SPEC §8.1
 */
export type QuotaUse = 'usual' | 'revocation';

/** The API keys of a user together have this many times the usual quota. SPEC §8.1 */
const KEYS_OF_A_USER = 10;

/** Quota of one login for requests that end access. SPEC §8.1 */
const REVOCATIONS_OF_A_LOGIN: RateLimit = { requests: 60, seconds: 60 };

/** Quota of all sessions of a user together. SPEC §8.1 */
const REVOCATIONS_OF_ALL_SESSIONS: RateLimit = { requests: 600, seconds: 60 };

/** Name of the revocation quotas in `RateLimit-Policy`. */
const REVOCATION_POLICY = 'ending';

/**
 * Returns the holder of the usual quota. A user's logins share one quota. API keys share an additional limit. SPEC
 * §8.1, ADR 66
 * @param usual Default quota of a credential.
 */
export function quotaHolder(
  { kind, userId, credentialId, rateLimit, delegatedTo }: Principal,
  usual: RateLimit,
): QuotaHolder {
  // A credential without a user has its own quota. The operator sets the quota of a key. Others have the default.
  if (userId === null) return { credentialId, rateLimit };
  if (kind !== 'api-key') return loginHolder(userId, delegatedTo);
  if (delegatedTo === undefined) {
    const ofAllKeys = { requests: usual.requests * KEYS_OF_A_USER, seconds: usual.seconds };
    return { credentialId, rateLimit, shared: { id: `keys:${userId}`, policy: 'keys', rateLimit: ofAllKeys } };
  }
  // Keys that an application created share the quota of the application's tokens, not of the user.
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
 * Each login of a user has its own revocation quota. A stolen credential therefore cannot use up the quota of another
 * login.
 * @returns Undefined for API keys and applications, whose requests count as usual. SPEC §8.1
 */
export function revocationHolder(principal: Principal): QuotaHolder | undefined {
  const { kind, userId, credentialId } = principal;
  if (userId === null || !isLogin(principal)) return undefined;
  if (kind === 'bearer') return sessionRevocationHolder(userId, credentialId);
  // Adds the user, because all users of a strategy of the app share one credential id.
  const id = kind === 'strategy' ? `${credentialId}:${userId}` : credentialId;
  return { credentialId: `ending:${id}`, rateLimit: REVOCATIONS_OF_A_LOGIN, policy: REVOCATION_POLICY };
}

/** Takes ids, because `/oauth/revoke` has no principal. That endpoint finds the session by the token. */
export function sessionRevocationHolder(userId: string, sessionId: string): QuotaHolder {
  return {
    credentialId: `ending:session:${sessionId}`,
    rateLimit: REVOCATIONS_OF_A_LOGIN,
    policy: REVOCATION_POLICY,
    shared: { id: `ending:sessions:${userId}`, policy: REVOCATION_POLICY, rateLimit: REVOCATIONS_OF_ALL_SESSIONS },
  };
}

/**
 * All logins of a user share one fairness key. An application shares one with the API keys that it created for the
 * user. Every other credential has its own. SPEC §4, ADR 105
 */
export function fairnessKeyOf(principal: Principal): string {
  const { userId, credentialId, delegatedTo } = principal;
  if (userId === null) return `credential:${credentialId}`;
  if (isLogin(principal)) return `user:${userId}`;
  return `user:${userId} ${delegatedTo === undefined ? credentialId : `client:${delegatedTo}`}`;
}
