import { declareRule } from './access-rule.js';

/**
 * The route answers every valid credential, whatever it allows; an API key needs `keys:manage`. 401, 403.
 * SPEC §5.2, ADR 18
 */
export function Authenticated(): MethodDecorator {
  return declareRule('authenticated');
}
