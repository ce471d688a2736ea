import { isLogin } from '../principal/is-login.js';
import type { Principal } from '../principal/principal.js';

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
