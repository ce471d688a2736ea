import { declareRule } from './access-rule.js';

/** The route answers everyone, credential or not. decisions §1 */
export function Public(): MethodDecorator {
  return declareRule('public');
}
