import { ItemsApiError } from '@items/client';

import { sentenceOf } from '../service/sentence.js';

/** Errors of a form: sentences by the names of fields, such as `lines.0.quantity`. */
export interface FormErrors {
  readonly fields: Readonly<Record<string, string>>;
  /** Said above the form; undefined if every error belongs to a field. */
  readonly general: string | undefined;
}

export const NO_ERRORS: FormErrors = { fields: {}, general: undefined };

/** @param hasField Whether the form shows a field of this name. */
export function formErrors(error: unknown, hasField: (name: string) => boolean): FormErrors {
  const details = error instanceof ItemsApiError ? error.details : [];
  const shown = details.filter(({ field }) => hasField(field));
  const fields = Object.fromEntries(shown.map(({ field, message }) => [field, message]));
  const isWhole = shown.length > 0 && shown.length === details.length;
  return { fields, general: isWhole ? undefined : sentenceOf(error) };
}
