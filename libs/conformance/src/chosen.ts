import { type Check } from './check.js';
import { CannotJudge } from './verdict.js';

export interface Choice {
  /** Prefixes of sections or ids: `§4`, `4.cursor`. */
  readonly only?: readonly string[];
  /** Excluded collections (`users`, `orders`), sections or ids. */
  readonly skip?: readonly string[];
}

export function chosen(checks: readonly Check[], { only = [], skip = [] }: Choice): Check[] {
  const asked = checks.filter((check) => only.length === 0 || only.some((one) => isNamed(check, one)));
  if (asked.length === 0) throw new CannotJudge(`There is no check ${only.join(', ')} in this profile.`);
  return asked.filter((check) => !skip.some((one) => isNamed(check, one)));
}

function isNamed({ id, section }: Check, name: string): boolean {
  return section === name || section === `§${name}` || id === name || id.startsWith(`${name}.`);
}
