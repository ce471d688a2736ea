import { declareRule } from './access-rule.js';

/**
 * The route answers whoever has a valid credential, whatever it allows, but no application that a user has let act for
 * him: no scope that he could have approved says so. An API key needs `keys:manage`. 401, 403. authentication.md "for everyone", ADR 18
 * @example
 * @Delete(':id')
 * @FirstParty()
 * remove() {}
 */
export function FirstParty(): MethodDecorator {
  return declareRule('first-party');
}
