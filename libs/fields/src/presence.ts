import { IsOptional, ValidateIf } from 'class-validator';

import { declareField, declareReadOnly, type DtoClass } from './definition.js';
import type { FieldDecorator } from './field.js';
import { OWN } from './foreign-rules.js';

/** May be left out or null, which are the same: what is accepted holds null, so that PUT replaces the whole. SPEC §2.4 */
export function Optional(): FieldDecorator {
  return (prototype, name) => {
    declareField(prototype, name, { absence: 'null' });
    IsOptional(OWN)(prototype, name);
  };
}

/**
 * May be left out, and then keeps its value: what is accepted holds undefined. Not null. For what grants or refuses
 * access. SPEC §2.4
 */
export function KeptIfAbsent(): FieldDecorator {
  return (prototype, name) => {
    declareField(prototype, name, { absence: 'kept' });
    ValidateIf((_, value) => value !== undefined, OWN)(prototype, name);
  };
}

/**
 * May be left out, and then keeps its value, which null clears: what is accepted holds undefined or null. For what grants
 * or refuses access, and may be empty. SPEC §2.4
 */
export function KeptOrCleared(): FieldDecorator {
  return (prototype, name) => {
    declareField(prototype, name, { absence: 'kept or cleared' });
    IsOptional(OWN)(prototype, name);
  };
}

/** May be left out, which is the same as the given value. Not null. */
export function DefaultsTo(value: string | number | boolean): FieldDecorator {
  return (prototype, name) => {
    declareField(prototype, name, { absence: { value } });
    ValidateIf((_, given) => given !== undefined, OWN)(prototype, name);
  };
}

/** Of a field: the service sets it, clients are shown it, and where they send it back it is ignored. SPEC §2.4 */
export function ReadOnly(): FieldDecorator;
/** Of a class: the same of names that no field of the class has, such as `id`. */
export function ReadOnly(...names: [string, ...string[]]): (dto: abstract new () => object) => void;
export function ReadOnly(...names: readonly string[]): (target: object, field?: string) => void {
  return (target: object, field?: string) => {
    if (field === undefined) return declareReadOnly((target as DtoClass).prototype as object, names);
    declareField(target, field, { readOnly: true });
    ValidateIf(() => false, OWN)(target, field);
  };
}
