import type { Principal } from './principal.js';

/** The application is a client of this service that the user approved, or one of another issuer. */
export function isDelegated({ delegatedTo, isOutside }: Principal): boolean {
  return delegatedTo !== undefined || isOutside === true;
}
