import { declareRule } from './access-rule.js';

/** The route answers everyone, credential or not. SPEC §1.1 */
export function Public(): MethodDecorator {
  return declareRule('public');
}
