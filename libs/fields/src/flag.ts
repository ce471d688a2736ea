import { field, type FieldDecorator, type FieldDocumentation } from './field.js';

/** `true` or `false`, never text. */
export function Flag(notes: FieldDocumentation = {}): FieldDecorator {
  return field<boolean>(
    {
      schema: { type: 'boolean' },
      kind: 'flag',
      type: { message: 'must be true or false.', is: (value) => typeof value === 'boolean' },
      rules: [],
    },
    notes,
  );
}
