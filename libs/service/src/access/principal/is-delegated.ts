import type { Principal } from './principal.js';

/** Whether an application acts for the user: one of ours, which they approved, or one of another issuer's. */
export function isDelegated({ delegatedTo, isOutside }: Principal): boolean {
  return delegatedTo !== undefined || isOutside === true;
}
