import { type Check } from '../check.js';
import { CannotJudge } from '../verdict.js';
import { decidedConventions } from './decided-1-conventions.js';
import { decidedFields } from './decided-2-fields.js';
import { decidedOrders } from './decided-3-orders.js';
import { decidedLists } from './decided-4-lists.js';
import { decidedRequests } from './decided-4-requests.js';
import { decidedCredentials } from './decided-5-credentials.js';
import { decidedKeys } from './decided-5-keys.js';
import { decidedAnswers } from './decided-7-8-9.js';
import { http } from './http.js';
import { section1 } from './section-1.js';
import { section2 } from './section-2.js';
import { section4Endpoints } from './section-4-endpoints.js';
import { section4Lists } from './section-4-lists.js';
import { section4Cursor, section4Offset } from './section-4-paging.js';
import { section4Queries } from './section-4-queries.js';
import { section4Rules } from './section-4-rules.js';
import { section4ChangingWalks, section4EqualKeys } from './section-4-walks.js';
import { section5 } from './section-5.js';
import { section7, section7Last } from './section-7.js';
import { section8 } from './section-8.js';

/**
 * `seed` is the seed specification itself, `http` adds the rules of HTTP for any service, `full` adds our own rules on
 * points that the seed specification leaves open.
 */
export type Profile = (typeof profiles)[number];
export const profiles = ['seed', 'http', 'full'] as const;

const seed: readonly Check[] = [
  ...section4Endpoints,
  ...section4Rules,
  ...section4Lists,
  ...section4Offset,
  ...section4Cursor,
  ...section4Queries,
  ...section4EqualKeys,
  ...section4ChangingWalks,
  ...section2,
  ...section1,
  ...section5,
  ...section7,
  ...section8,
  ...section7Last,
];

const decisions: readonly Check[] = [
  ...decidedConventions,
  ...decidedFields,
  ...decidedOrders,
  ...decidedRequests,
  ...decidedLists,
  ...decidedCredentials,
  ...decidedKeys,
  ...decidedAnswers,
];

export function checksOf(profile: Profile): readonly Check[] {
  // The run has this order: `seed` is last, because it judges the quota in all responses.
  if (profile === 'seed') return seed;
  return profile === 'http' ? [...http, ...seed] : [...decisions, ...http, ...seed];
}

export interface Choice {
  /** Sections, ids, or beginnings of ids: `§4`, `4.cursor`. */
  readonly only?: readonly string[];
  /** Excluded collections (`users`, `orders`), or names as in `only`. */
  readonly skip?: readonly string[];
}

export function chosen(checks: readonly Check[], { only = [], skip = [] }: Choice): Check[] {
  const included = checks.filter((check) => only.length === 0 || only.some((one) => isNamed(check, one)));
  if (included.length === 0) throw new CannotJudge(`There is no check ${only.join(', ')} in this profile.`);
  return included.filter((check) => !skip.some((one) => isNamed(check, one)));
}

function isNamed({ id, section }: Check, name: string): boolean {
  return section === name || section === `§${name}` || id === name || id.startsWith(`${name}.`);
}
