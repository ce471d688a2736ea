/** Marks a `ValidationError` of whatever package, and of whatever copy of it. */
export const VALIDATION_ERROR = Symbol.for('@items/ValidationError');

/**
 * What `instanceof` asks of a class whose instances bear a mark: true for those of every copy of the class.
 */
export function isMarked(value: unknown, mark: symbol): boolean {
  return mark in (Object(value) as object);
}
