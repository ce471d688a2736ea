import { lowerCaseUuid } from '@items/conventions';
import type { FieldReference, FieldRule, ReferencedCollection } from './definition.js';
import { field, type FieldDecorator, type FieldDocumentation, type FieldKind } from './field.js';
import { STRING } from './text.js';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const isUuid = (text: string): boolean => UUID.test(text);
const ROW_ID: FieldKind<string> = {
  schema: { type: 'string', format: 'uuid', maxLength: 36 },
  type: STRING,
  rules: [{ code: 'wrong_format', message: 'must be a UUID.', holds: isUuid }],
  normalise: (value) => (typeof value === 'string' ? lowerCaseUuid(value) : value),
};
const EXAMPLE = '019a9f3e-5c7a-7d31-8b52-0e6a4f1c9d27';

/** The id of a resource: a UUID, stored in lower case. SPEC §1 */
export function RowId(notes: FieldDocumentation = {}): FieldDecorator {
  return field(ROW_ID, { example: EXAMPLE, ...notes });
}

export interface ReferenceOptions extends FieldDocumentation {
  /**
   * On deletion of the referenced member: `refuse` (default) responds 409 `has_references`; `keep` deletes it but keeps
   * the id here.
   */
  readonly onDelete?: FieldReference['onDelete'];
}

/**
 * The id of a member of another collection. 422 `unknown_reference` if the id does not exist, or the caller may not
 * read its member, or the text is no UUID: in a path, it would be an unknown id too.
 * @param target the collection, or a function that returns it, if it is defined later.
 * @example Reference(authors) author_id!: string;
 */
export function Reference(
  target: ReferencedCollection | (() => ReferencedCollection),
  { onDelete = 'refuse', ...notes }: ReferenceOptions = {},
): FieldDecorator {
  const reference = { target: typeof target === 'function' ? target : () => target, onDelete };
  const rule: FieldRule<string> = {
    code: 'unknown_reference',
    message: 'must be the id of a member.',
    explain: () => `is the id of no ${reference.target().singular}.`,
    holds: isUuid,
  };
  return field({ ...ROW_ID, rules: [rule], reference }, { example: EXAMPLE, ...notes });
}
