import type { DtoClass } from './definition.js';
import { isJsonObject } from './validate.js';
import { field, type FieldDecorator, type FieldDocumentation } from './field.js';

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
