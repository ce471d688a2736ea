import type { ErrorParams } from '@items/conventions';
import { type DtoClass, type JsonSchema, lineage } from './dto-class.js';
import { requireCompatibleRules } from './foreign-rules.js';

export type { DtoClass };

export type Absence = 'refused' | 'null' | 'kept' | 'kept or cleared' | { readonly value: unknown };

export type ValueKind = 'plain' | 'money' | 'flag' | 'time';

export interface FieldRule<T> {
  /** Stable, in snake_case. The `code` of the detail, and the name of the constraint in class-validator. */
  readonly code: string;
  /** Sentence without its subject, which is the field: `must be a string.` */
  readonly message: string;
  /** Returns a more exact sentence for a refused value. Default: `message`. */
  readonly explain?: (value: T) => string | undefined;
  /** Bounds that the value violates. SPEC §7 */
  readonly params?: ErrorParams;
  /** If true, the rule does not apply to fields that may be null or have a default. */
  readonly onlyIfRequired?: true;
  readonly holds: (value: T) => boolean;
}

export const REQUIRED: FieldRule<unknown> = {
  code: 'required',
  message: 'is required.',
  holds: (value) => value !== undefined,
};

/**
 * Enums with which a service replaces those of a class. A key is the list passed to `@Choice()` or `@Choices()`; its
 * value replaces it.
 * @example new Map([[ROLES, ['viewer', 'clerk', 'admin']]])
 */
export type EnumOverrides = ReadonlyMap<readonly string[], readonly string[]>;

export interface ReferencedCollection {
  readonly name: string;
  /** Name of one member in sentences: `author`. */
  readonly singular: string;
}

export interface FieldReference {
  readonly target: () => ReferencedCollection;
  /** `refuse` to delete the referenced member, or delete it and `keep` its id here. */
  readonly onDelete: 'refuse' | 'keep';
}

export interface FieldDefinition {
  readonly schema: JsonSchema;
  readonly kind: ValueKind;
  readonly absence: Absence;
  /** Runs before validation; returns values of a wrong type unchanged. */
  readonly normalise?: ((value: unknown) => unknown) | undefined;
  /** Rules in the order of validation. Not applied to absent values. */
  readonly rules: readonly FieldRule<unknown>[];
  /** Only for fields with an enum: returns the rules with the enums of a service. */
  readonly rulesIn: ((overrides: EnumOverrides) => readonly FieldRule<unknown>[]) | undefined;
  /** Class of the object, or of the objects in the array. */
  readonly nested: (() => DtoClass) | undefined;
  readonly reference: FieldReference | undefined;
  /** Only the service sets the field; a client's value is ignored. */
  readonly readOnly: boolean;
  readonly sortable: boolean;
  readonly filterable: boolean;
}

export interface DtoDefinition {
  readonly fields: ReadonlyMap<string, FieldDefinition>;
  /** Fields that a client may set. */
  readonly accepted: ReadonlyMap<string, FieldDefinition>;
  /** Names that a client may send, but whose values are ignored. */
  readonly readOnly: ReadonlySet<string>;
}

interface Declared {
  readonly fields: Map<string, Partial<FieldDefinition>>;
  readonly readOnly: Set<string>;
}

const UNDECLARED: FieldDefinition = {
  schema: {},
  kind: 'plain',
  absence: 'refused',
  rules: [],
  rulesIn: undefined,
  nested: undefined,
  reference: undefined,
  readOnly: false,
  sortable: false,
  filterable: false,
};

const declared = new WeakMap<object, Declared>();

/** Merges with earlier parts, because the decorators of a field may be in any order. */
export function declareField(prototype: object, name: string, part: Partial<FieldDefinition>): void {
  const { fields } = declaredBy(prototype);
  fields.set(name, { ...fields.get(name), ...part });
}

export function isRequired({ absence = 'refused' }: Partial<FieldDefinition> = {}): boolean {
  return absence === 'refused' || absence === 'kept';
}

/** Returns the parts declared so far, without inherited ones. */
export function declaredField(prototype: object, name: string): Partial<FieldDefinition> | undefined {
  return declared.get(prototype)?.fields.get(name);
}

export function declareReadOnly(prototype: object, names: readonly string[]): void {
  for (const name of names) declaredBy(prototype).readOnly.add(name);
}

/**
 * Merges the decorators of a class and its ancestors. A field that is declared again keeps every part that the new
 * declaration omits.
 * @throws {Error} A rule of class-validator cannot run together with ours.
 */
export function definitionOf(dto: DtoClass): DtoDefinition {
  const fields = new Map<string, FieldDefinition>();
  const readOnly = new Set<string>();
  for (const prototype of lineage(dto.prototype as object)) {
    const own = declared.get(prototype);
    own?.fields.forEach((part, name) => fields.set(name, { ...(fields.get(name) ?? UNDECLARED), ...part }));
    own?.readOnly.forEach((name) => readOnly.add(name));
  }
  const accepted = new Map<string, FieldDefinition>();
  for (const [name, field] of fields) {
    if (field.readOnly) readOnly.add(name);
    else accepted.set(name, field);
  }
  requireCompatibleRules(dto, fields);
  return { fields, accepted, readOnly };
}

function declaredBy(prototype: object): Declared {
  const known = declared.get(prototype);
  if (known !== undefined) return known;
  const fresh: Declared = { fields: new Map(), readOnly: new Set() };
  declared.set(prototype, fresh);
  return fresh;
}
