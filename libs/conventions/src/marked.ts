export const VALIDATION_ERROR = Symbol.for('@items/ValidationError');

/** Implements `instanceof` by a symbol, to accept instances from every installed copy of a class. */
export function isMarked(value: unknown, mark: symbol): boolean {
  return mark in (Object(value) as object);
}
