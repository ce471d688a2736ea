import { isDelegated } from './is-delegated.js';
import type { Principal } from './principal.js';

/** A session or Basic, but neither a key nor a token of an application. */
export function isLogin(principal: Principal): boolean {
  return principal.userId !== null && principal.kind !== 'api-key' && !isDelegated(principal);
}
