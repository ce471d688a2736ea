import { IsOptional, ValidateIf } from 'class-validator';
import { type Absence, declareField, declareReadOnly, definitionOf, type DtoClass } from './definition.js';
import type { FieldDecorator } from './field.js';
import { OWN } from './foreign-rules.js';

/** The field may be null. If omitted, it becomes null, because PUT replaces the whole resource. SPEC §2.4 */
export function Optional(): FieldDecorator {
  return ifAbsent('null', IsOptional(OWN));
}

/**
 * If omitted, the field keeps its value (undefined after validation). Null is refused. For fields that grant or refuse
 * access, so that an omission changes no rights. SPEC §2.4
 */
export function KeptIfAbsent(): FieldDecorator {
  return ifAbsent('kept', IS_SENT);
}

/** Like {@link KeptIfAbsent}, but null clears the field. SPEC §2.4 */
export function KeptOrCleared(): FieldDecorator {
  return ifAbsent('kept or cleared', IsOptional(OWN));
}

/** If omitted, the field gets the given value. Null is refused. */
export function DefaultsTo(value: string | number | boolean): FieldDecorator {
  return ifAbsent({ value }, IS_SENT);
}

const IS_SENT = ValidateIf((_, value) => value !== undefined, OWN);

function ifAbsent(absence: Absence, forClassValidator: PropertyDecorator): FieldDecorator {
  return (prototype, name) => {
    declareField(prototype, name, { absence });
    forClassValidator(prototype, name);
  };
}

/** On a field: only the service sets it. Responses show it, and a client's value is ignored. SPEC §2.4 */
export function ReadOnly(): FieldDecorator;
/** On a class: a client's values are ignored for these names, which are no fields of the class, such as `id`. */
export function ReadOnly(...names: [string, ...string[]]): (dto: abstract new () => object) => void;
export function ReadOnly(...names: readonly string[]): (target: object, field?: string) => void {
  return (target: object, field?: string) => {
    if (field === undefined) return declareReadOnly((target as DtoClass).prototype as object, names);
    declareField(target, field, { readOnly: true });
    ValidateIf(() => false, OWN)(target, field);
  };
}

export function addReadOnlyFields(dto: DtoClass, source: DtoClass): void {
  const prototype = dto.prototype as object;
  for (const [name, field] of definitionOf(source).fields) {
    declareField(prototype, name, field);
    ReadOnly()(prototype, name);
  }
}

/** Allows sorting by the field. The migration of the table creates the indexes. SPEC §4.1 */
export function Sortable(): FieldDecorator {
  return (prototype, name) => {
    declareField(prototype, name, { sortable: true });
  };
}

/** Allows filtering by the field: a limited text, a choice, a flag, or an id. SPEC §4.1 */
export function Filterable(): FieldDecorator {
  return (prototype, name) => {
    declareField(prototype, name, { filterable: true });
  };
}
