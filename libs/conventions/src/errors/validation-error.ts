import { type ErrorDetail } from '../error-body.js';
import { isMarked, VALIDATION_ERROR } from '../marked.js';

import { ApiError } from './api-error.js';

/** Most details that one error lists; what is beyond is only counted. SPEC §2.4 */
export const MAX_DETAILS = 20;
/** Under it the content of a body says that it was not read to its end, since it has too many members: it is to be refused. */
export const OMITTED_MEMBERS = Symbol.for('items: omitted members');

/** What was not read of a body: members of an object, since it has too many names, or elements of arrays. */
export interface OmittedMembers {
  readonly kind: 'names' | 'members' | 'elements';
  /** The object with too many names, as details name fields; empty for the body itself, and for the other kinds. */
  readonly field: string;
  /** Number of omitted members of that object; 1 for the other kinds. */
  readonly count: number;
  /** Maximum number of different names, members or elements of a body. */
  readonly max: number;
}
/** How many details the sentence for people repeats. */
const MAX_SENTENCES = 3;

/**
 * 422: valid JSON with invalid content; each detail names its field. `instanceof` is true for that of `@items/client` and of
 * every other copy as well, so that a form treats what it finds itself as what the service finds. SPEC §4 rule 5
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
   * @param unlisted further ones of which no detail was made: of what a client can send a hundred thousand times, make
   *   {@link MAX_DETAILS} and count the others.
   */
  constructor(problems: readonly ErrorDetail[], unlisted = 0) {
    const ranked = [...problems].sort((a, b) => Number(isUnknown(a)) - Number(isUnknown(b)) || byField(a, b));
    super(sentenceFor(ranked, unlisted), { details: ranked.slice(0, MAX_DETAILS).sort(byField) });
  }
}

/** Unknown fields come last, so that a heap of them never hides what the resource itself lacks. */
function isUnknown({ code }: ErrorDetail): boolean {
  return code === 'unknown_field';
}

/** By code unit. */
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
