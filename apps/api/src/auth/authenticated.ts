import { declareRule } from './access-rule.js';

/**
 * The route answers whoever has a valid credential, whatever it allows; an API key needs `keys:manage`. 401, 403.
 * authentication.md "for everyone", ADR 18
 */
export function Authenticated(): MethodDecorator {
  return declareRule('authenticated');
}
