export { Choices, NestedList, Texts, type TextsOptions } from './arrays.js';
export { Choice } from './choice.js';
export { DateTime } from './date-time.js';
export type { DateTimeOptions } from './date-time.js';
export { definitionOf } from './definition.js';
export type { DtoClass, FieldDefinition, FieldReference, EnumOverrides, ReferencedCollection } from './definition.js';
export type { FieldDecorator } from './field.js';
export { Flag } from './flag.js';
export type { JsonSchema } from './dto-class.js';
export { Nested } from './nested.js';
export { Float, Integer, Money } from './numbers.js';
export type { RangeOptions } from './numbers.js';
export {
  addReadOnlyFields,
  DefaultsTo,
  Filterable,
  KeptIfAbsent,
  KeptOrCleared,
  Optional,
  ReadOnly,
  Sortable,
} from './presence.js';
export { replacementOf } from './replacement-of.js';
export type { Replacement } from './replacement-of.js';
export { Reference, RowId } from './row-id.js';
export type { ReferenceOptions } from './row-id.js';
export { schemaOf, shownSchemaOf } from './schema-of.js';
export { standard } from './standard-schema.js';
export type { StandardIssue, StandardResult, StandardSchema } from './standard-schema.js';
export { Text, WITHOUT_COMMA } from './text.js';
export type { TextOptions } from './text.js';
export { validate, validateChange, validateStored } from './validate.js';
