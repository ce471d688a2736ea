import { InvalidQueryError, shownName } from '@items/conventions';

import type { SortKey } from './list-request.js';

/**
 * Parses `-price,name`.
 * @throws {InvalidQueryError} 400: empty, an unknown field, or a repeated field.
 * @see SPEC §4.1
 */
export function parseSort(text: string, sortable: readonly string[]): SortKey[] {
  const keys: SortKey[] = [];
  for (const element of text.split(',')) {
    const descending = element.startsWith('-');
    const field = descending ? element.slice(1) : element;
    if (!sortable.includes(field)) throw unknownSort(field, sortable);
    if (keys.some((key) => key.field === field)) {
      throw new InvalidQueryError('sort', 'repeated_sort', `"sort" names "${field}" more than once.`);
    }
    keys.push({ field, descending });
  }
  return keys;
}

function unknownSort(field: string, sortable: readonly string[]): InvalidQueryError {
  const fault = field === '' ? 'names no field' : `cannot be "${shownName(field)}"`;
  return new InvalidQueryError('sort', 'unknown_sort', `"sort" ${fault}; known fields: ${sortable.join(', ')}.`);
}
