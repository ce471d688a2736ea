import { lowerCaseUuid } from '@items/conventions';

import { field, type FieldDecorator, type FieldDocumentation } from './field.js';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The id of a resource: a UUID, stored in lower case. SPEC §1 */
export function RowId(notes: FieldDocumentation = {}): FieldDecorator {
  return field<string>(
    {
      schema: { type: 'string', format: 'uuid', maxLength: 36 },
      type: { message: 'must be a string.', is: (value) => typeof value === 'string' },
      rules: [{ code: 'wrong_format', message: 'must be a UUID.', holds: (text) => UUID.test(text) }],
      normalise: (value) => (typeof value === 'string' ? lowerCaseUuid(value) : value),
    },
    { example: '019a9f3e-5c7a-7d31-8b52-0e6a4f1c9d27', ...notes },
  );
}
