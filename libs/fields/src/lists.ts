import { declareField } from './definition.js';
import type { FieldDecorator } from './field.js';

/** Lists may be sorted by the field; each such field has its indexes in the migration. SPEC §4.1 */
export function Sortable(): FieldDecorator {
  return (prototype, name) => {
    declareField(prototype, name, { sortable: true });
  };
}

/** Lists may be filtered by the field: a text of limited length, a word of some, or a yes and no. SPEC §4.1 */
export function Filterable(): FieldDecorator {
  return (prototype, name) => {
    declareField(prototype, name, { filterable: true });
  };
}
