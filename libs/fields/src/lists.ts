import { declareField } from './definition.js';
import type { FieldDecorator } from './field.js';

/** Allows sorting by the field; its indexes are in the migration. SPEC §4.1 */
export function Sortable(): FieldDecorator {
  return (prototype, name) => {
    declareField(prototype, name, { sortable: true });
  };
}

/** Allows filtering by the field: a text of limited length, a choice, or a flag. SPEC §4.1 */
export function Filterable(): FieldDecorator {
  return (prototype, name) => {
    declareField(prototype, name, { filterable: true });
  };
}
