import { field, type FieldDecorator, type FieldNotes } from './field.js';

/** `true` or `false`, never text. */
export function Flag(notes: FieldNotes = {}): FieldDecorator {
  return field<boolean>(
    {
      schema: { type: 'boolean' },
      type: { message: 'must be true or false.', is: (value) => typeof value === 'boolean' },
      rules: [],
    },
    notes,
  );
}
