import { isLogin } from '../principal/is-login.js';
import type { Principal } from '../principal/principal.js';

/**
 * Returns whose turns the requests of a credential take: those of its user. An application is one unit with the keys that
 * it created, and so is every other key. SPEC §4, ADR 105
 */
export function fairnessKeyOf(principal: Principal): string {
  const { userId, credentialId, delegatedTo } = principal;
  if (userId === null) return `credential:${credentialId}`;
  if (isLogin(principal)) return `user:${userId}`;
  return `user:${userId} ${delegatedTo === undefined ? credentialId : `client:${delegatedTo}`}`;
}
