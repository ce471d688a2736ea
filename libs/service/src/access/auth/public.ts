import { declareRule } from './access-rule.js';

/** Opens the route to requests with or without a credential. SPEC §1.1 */
export function Public(): MethodDecorator {
  return declareRule('public');
}
