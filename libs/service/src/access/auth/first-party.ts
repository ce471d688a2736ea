import { declareRule } from './access-rule.js';

/**
 * Opens the route to every valid credential with any scopes, except for applications that act for a user: no scope that
 * a user can approve includes it. An API key needs `keys:manage`. 401, 403. SPEC §5.2, ADR 18
 * @example
 * @Delete(':id')
 * @FirstParty()
 * remove() {}
 */
export function FirstParty(): MethodDecorator {
  return declareRule('first-party');
}
