import { declareRule } from './access-rule.js';

/**
 * The route answers every valid credential, whatever it allows, but no application that acts for a user: no scope that
 * a user can approve allows it. An API key needs `keys:manage`. 401, 403. SPEC §5.2, ADR 18
 * @example
 * @Delete(':id')
 * @FirstParty()
 * remove() {}
 */
export function FirstParty(): MethodDecorator {
  return declareRule('first-party');
}
