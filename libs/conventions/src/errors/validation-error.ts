import { type ErrorDetail } from '../error-body.js';
import { isMarked, VALIDATION_ERROR } from '../marked.js';

import { ApiError } from './api-error.js';

/** Maximum number of details of an error; further ones are counted. SPEC §2.4 */
export const MAX_DETAILS = 20;
/** Key under which the parser of a body reports that it omitted members. Refuse such a body. */
export const OMITTED_MEMBERS = Symbol.for('items: omitted members');

/** Members of an object, or elements of arrays, that the parser of a body omitted. */
export interface OmittedMembers {
  readonly kind: 'names' | 'members' | 'elements';
  /** Path of the object with too many names; empty for the body itself and for arrays. */
  readonly field: string;
  /** Number of omitted members of that object; otherwise 1. */
  readonly count: number;
  /** Maximum number of names, members or elements of a body. */
  readonly max: number;
}
/** Maximum number of details in the sentence for people. */
const MAX_SENTENCES = 3;

/**
 * 422: valid JSON with invalid content; each detail names its field. `instanceof` also accepts an
 * error of `@items/client` or of another copy of this package, so that a form treats its own
 * findings like those of the service. SPEC §4 rule 5
 */
export class ValidationError extends ApiError {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isMarked(value, VALIDATION_ERROR);
  }

  override readonly status = 422;
  override readonly code = 'validation_failed';

  get [VALIDATION_ERROR](): true {
    return true;
  }

  /**
   * @param problems at least one, in any order.
   * @param unlisted number of further problems without a detail. Make at most {@link MAX_DETAILS}
   * details for problems that a client can repeat, and count the others.
   */
  constructor(problems: readonly ErrorDetail[], unlisted = 0) {
    const ranked = [...problems].sort((a, b) => Number(isUnknown(a)) - Number(isUnknown(b)) || byField(a, b));
    super(sentenceFor(ranked, unlisted), { details: ranked.slice(0, MAX_DETAILS).sort(byField) });
  }
}

/** Unknown fields come last, so that they never hide the missing fields of the resource. */
function isUnknown({ code }: ErrorDetail): boolean {
  return code === 'unknown_field';
}

/** By code unit, independent of locale. */
function byField(a: ErrorDetail, b: ErrorDetail): number {
  return compare(a.field, b.field) || compare(a.code, b.code) || compare(a.message, b.message);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function sentenceFor(details: readonly ErrorDetail[], unlisted: number): string {
  const shown = details.slice(0, MAX_SENTENCES).map((detail) => detail.message);
  const hidden = details.length - shown.length + unlisted;
  return hidden === 0 ? shown.join(' ') : `${shown.join(' ')} And ${String(hidden)} more.`;
}
