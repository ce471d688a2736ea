import { IsOptional, ValidateIf } from 'class-validator';

import { declareField, declareReadOnly } from '../definition.js';
import type { FieldDecorator } from './field.js';

/** May be left out or null, which are the same: what is accepted holds null, so that PUT replaces the whole. decisions §2 */
export function Optional(): FieldDecorator {
  return (prototype, name) => {
    declareField(prototype, name, { absence: 'null' });
    IsOptional()(prototype, name);
  };
}

/**
 * May be left out, and then keeps its value: what is accepted holds undefined. Not null. For what grants or refuses
 * access. decisions §2
 */
export function KeptIfAbsent(): FieldDecorator {
  return (prototype, name) => {
    declareField(prototype, name, { absence: 'kept' });
    ValidateIf((_, value) => value !== undefined)(prototype, name);
  };
}

/** May be left out, which is the same as the given value. Not null. */
export function DefaultsTo(value: string | number | boolean): FieldDecorator {
  return (prototype, name) => {
    declareField(prototype, name, { absence: { value } });
    ValidateIf((_, given) => given !== undefined)(prototype, name);
  };
}

/** Class decorator: fields that a client may send back as it got them, and that are ignored. decisions §2 */
export function ReadOnly(...names: readonly string[]): (dto: abstract new () => object) => void {
  return (dto) => {
    declareReadOnly(dto.prototype as object, names);
  };
}
