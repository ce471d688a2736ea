import { declareRule } from './access-rule.js';

/**
 * Opens the route to every valid credential with any scopes. An API key needs `keys:manage`. 401, 403. SPEC §5.2, ADR
 * 18
 */
export function Authenticated(): MethodDecorator {
  return declareRule('authenticated');
}
