import { type Check } from './check.js';
import { CannotJudge } from './verdict.js';

/** Which checks of a profile are asked. */
export interface Choice {
  /** Only checks whose section or id begins so: `§4`, `4.cursor`. */
  readonly only?: readonly string[];
  /** None of these collections (`users`, `orders`), sections or ids. */
  readonly skip?: readonly string[];
}

/** @throws {CannotJudge} there is no such check. */
export function chosen(checks: readonly Check[], { only = [], skip = [] }: Choice): Check[] {
  const asked = checks.filter((check) => only.length === 0 || only.some((one) => isNamed(check, one)));
  if (asked.length === 0) throw new CannotJudge(`There is no check ${only.join(', ')} in this profile.`);
  return asked.filter((check) => !skip.some((one) => isNamed(check, one)));
}

function isNamed({ id, section }: Check, name: string): boolean {
  return section === name || section === `§${name}` || id === name || id.startsWith(`${name}.`);
}
