import { declareRule } from './access-rule.js';

/**
 * Opens the route like `@Authenticated()`, but not to applications that act for a user: no scope that a user can
 * approve includes it. SPEC §5.2, ADR 18
 */
export function FirstParty(): MethodDecorator {
  return declareRule('first-party');
}
