import type { ErrorDetail } from '../../error-body.js';

import { shownName } from '../shown-name.js';
import { MAX_DETAILS } from '../validation-error.js';

const MAX_SENTENCES = 3;
const UNKNOWN = /^property (\S{1,200}) should not exist$/;
/**
 * class-validator begins a sentence with the path of the field, except for sentences about each element of an array.
 */
const ABOUT =
  /^(?:nested property |each value in (?:nested property )?)?([A-Za-z_$][\w$.-]{0,199}) (?:must|should|is|has|can|may|does|contains) /;

/** Finds the field of each sentence of a `ValidationPipe`. @returns `details` sorted by field, at most 20. */
export function messageList(list: readonly unknown[]): { message: string; details: readonly ErrorDetail[] } {
  const sentences = list.filter((message) => typeof message === 'string' && message !== '') as readonly string[];
  const shown = sentences.slice(0, MAX_SENTENCES).join('; ');
  const hidden = sentences.length - MAX_SENTENCES;
  const message =
    shown === '' ? 'The request is not valid.' : `${shown}${hidden > 0 ? `; and ${String(hidden)} more` : ''}.`;
  const details = sentences.flatMap(detailOf).sort((a, b) => (a.field < b.field ? -1 : Number(a.field > b.field)));
  return { message, details: details.slice(0, MAX_DETAILS) };
}

function detailOf(message: string): ErrorDetail[] {
  const unknown = UNKNOWN.exec(message)?.[1];
  if (unknown !== undefined) return [{ field: shownName(unknown), code: 'unknown_field', message }];
  const field = ABOUT.exec(message)?.[1];
  return field === undefined ? [] : [{ field, code: 'invalid', message }];
}
