import type { DtoClass } from './definition.js';
import { isJsonObject } from './validate.js';
import { field, type FieldDecorator, type FieldDocumentation } from './field.js';

/** Number of objects, inclusive. */
export interface NestedListOptions extends FieldDocumentation {
  readonly min: number;
  readonly max: number;
}

/**
 * An object with its own rules; problems name the path, `rate_limit.seconds`.
 * @param dto a function, called on first use, so that the class may be declared later in its file.
 */
export function Nested(dto: () => DtoClass, notes: FieldDocumentation = {}): FieldDecorator {
  return field<object>(
    { schema: { type: 'object' }, type: { message: 'must be an object.', is: isJsonObject }, rules: [], nested: dto },
    notes,
  );
}

/** An array of objects with their own rules; problems name the path, `lines.0.quantity`. */
export function NestedList(dto: () => DtoClass, options: NestedListOptions): FieldDecorator {
  const { min, max } = options;
  return field<readonly unknown[]>(
    {
      schema: { type: 'array', minItems: min, maxItems: max },
      type: { message: 'must be an array.', is: (value): value is readonly unknown[] => Array.isArray(value) },
      rules: [
        {
          code: 'too_few',
          message: `must have at least ${String(min)}.`,
          params: { min },
          holds: (list) => list.length >= min,
        },
        {
          code: 'too_many',
          message: `must have at most ${String(max)}.`,
          params: { max },
          holds: (list) => list.length <= max,
        },
      ],
      nested: dto,
    },
    options,
  );
}
