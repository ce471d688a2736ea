export const VALIDATION_ERROR = Symbol.for('@items/ValidationError');

/** Implements `instanceof` with a symbol, so that it accepts instances of every copy of a class. */
export function isMarked(value: unknown, mark: symbol): boolean {
  return mark in (Object(value) as object);
}
