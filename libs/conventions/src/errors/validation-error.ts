import { type ErrorDetail } from '../error-body.js';
import { isMarked, VALIDATION_ERROR } from '../marked.js';
import { ApiError } from './api-error.js';

/** Maximum number of details in an error. Further ones are only counted. SPEC §2.4 */
export const MAX_DETAILS = 20;
/** A parser sets this property on a body from which it omitted JSON members. Refuse such a body. */
export const OMITTED_MEMBERS = Symbol.for('items: omitted members');

export interface OmittedMembers {
  readonly kind: 'names' | 'members' | 'elements';
  /** Path of the object with too many names; empty for the body itself, or if `kind` is not `names`. */
  readonly field: string;
  /** Number of names omitted from that object; 1 if `kind` is not `names`. */
  readonly count: number;
  readonly max: number;
}
const MAX_SENTENCES = 3;

/**
 * 422: valid JSON with invalid content. `instanceof` also accepts an error of `@items/client` or of another copy of
 * this package, so that a form handles local and remote errors alike. SPEC §4 rule 5
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
   * @param problems at least one, in any order. Pass at most {@link MAX_DETAILS} of a kind of problem that a client can
   *   repeat without limit, such as unknown fields.
   * @param unlisted number of further problems without a detail.
   */
  constructor(problems: readonly ErrorDetail[], unlisted = 0) {
    const ranked = [...problems].sort((a, b) => Number(isUnknown(a)) - Number(isUnknown(b)) || byField(a, b));
    super(sentenceFor(ranked, unlisted), { details: ranked.slice(0, MAX_DETAILS).sort(byField) });
  }
}

/** Unknown fields rank last, so that they never displace missing fields. */
function isUnknown({ code }: ErrorDetail): boolean {
  return code === 'unknown_field';
}

/** Compares code units, because the order of a locale would depend on the machine. */
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
