import { declareRule } from './access-rule.js';

/** The route answers whoever has a valid credential, whatever it allows: 401 without. authentication.md "for everyone" */
export function Authenticated(): MethodDecorator {
  return declareRule('authenticated');
}
