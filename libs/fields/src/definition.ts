import type { ErrorParams } from '@items/conventions';

import type { DtoClass } from './dto-class.js';
import { requireJudgeable } from './foreign-rules.js';
import type { JsonSchema } from './json-schema.js';
import { lineage } from './lineage.js';

export type { DtoClass };

/** What a field becomes where the client leaves it out: an error, null, nothing at all (undefined), or a value. */
export type Absence = 'refused' | 'null' | 'kept' | 'kept or cleared' | { readonly value: unknown };

/** What a value is, beyond its JSON: an amount of money, a yes or no, a time, or just itself. */
export type ValueKind = 'plain' | 'money' | 'flag' | 'time';

/** One thing that a value must be. */
export interface FieldRule<T> {
  /** Stable, snake_case: the `code` of the detail, and the name of the constraint in class-validator. */
  readonly code: string;
  /** The sentence of the detail without its subject, the field: `must be a string.` */
  readonly message: string;
  /** Returns a more exact sentence for a value that the rule refuses; undefined: `message`. */
  readonly explain?: (value: T) => string | undefined;
  /** What the value has missed, where the code has such. SPEC §7 */
  readonly params?: ErrorParams;
  /** Whether the rule applies only to fields that can be neither null nor a default. */
  readonly onlyIfRequired?: true;
  readonly holds: (value: T) => boolean;
}

/** Of a field that the client may not leave out; judged before all others. */
export const REQUIRED: FieldRule<unknown> = {
  code: 'required',
  message: 'is required.',
  holds: (value) => value !== undefined,
};

/**
 * Enums of a service that replace those of a class, by the list object that `@Choice()` or `@Choices()` was given.
 * @example new Map([[ROLES, ['viewer', 'clerk', 'admin']]])
 */
export type EnumOverrides = ReadonlyMap<readonly string[], readonly string[]>;

/** What the decorators of one field have declared. */
export interface FieldDefinition {
  readonly schema: JsonSchema;
  readonly kind: ValueKind;
  readonly absence: Absence;
  /** Brings a value into its one form before it is judged; leaves alone what it does not know. */
  readonly normalise?: ((value: unknown) => unknown) | undefined;
  /** In the order in which they are judged; of a value that is there. */
  readonly rules: readonly FieldRule<unknown>[];
  /** Rules with the enums of a service; undefined if the field has no enum. */
  readonly rulesIn: ((overrides: EnumOverrides) => readonly FieldRule<unknown>[]) | undefined;
  /** The class of the object, or of each object of the array, that the field holds. */
  readonly nested: (() => DtoClass) | undefined;
  /** Whether the service sets it: shown, and ignored where a client sends it. */
  readonly readOnly: boolean;
  /** Whether lists may be sorted by it. */
  readonly sortable: boolean;
  /** Whether lists may be filtered by it. */
  readonly filterable: boolean;
}

/** What the decorators of one class have declared. */
export interface DtoDefinition {
  readonly fields: ReadonlyMap<string, FieldDefinition>;
  /** Those of the fields that a client may set. */
  readonly accepted: ReadonlyMap<string, FieldDefinition>;
  /** Names that a client may send back, and that are ignored. */
  readonly readOnly: ReadonlySet<string>;
}

interface Declared {
  /** What the decorators of the class itself say: what its fields have inherited is not among it. */
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
  readOnly: false,
  sortable: false,
  filterable: false,
};

const declared = new WeakMap<object, Declared>();

/** Adds to the definition of a field; the decorators of one field come in any order. */
export function declareField(prototype: object, name: string, part: Partial<FieldDefinition>): void {
  const { fields } = declaredBy(prototype);
  fields.set(name, { ...fields.get(name), ...part });
}

/** Whether a decorator of the class itself has said already of which kind a field is. */
export function hasOwnKind(prototype: object, name: string): boolean {
  return declaredField(prototype, name)?.rules !== undefined;
}

/** Whether a field can be neither null nor a default. */
export function isRequired({ absence = 'refused' }: Partial<FieldDefinition> = {}): boolean {
  return absence === 'refused' || absence === 'kept';
}

/** What the decorators of the class itself have declared of a field so far. */
export function declaredField(prototype: object, name: string): Partial<FieldDefinition> | undefined {
  return declared.get(prototype)?.fields.get(name);
}

/** Adds names that are ignored. */
export function declareReadOnly(prototype: object, names: readonly string[]): void {
  for (const name of names) declaredBy(prototype).readOnly.add(name);
}

/**
 * All that a class and those it extends have declared. A field that is declared again keeps what the extending class does not
 * say anew: its kind with all its rules, whether it may be left out, and whether it is read-only, sortable or filterable.
 * @throws {Error} a rule of class-validator stands at a field, and cannot be judged with ours.
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
  requireJudgeable(dto, fields);
  return { fields, accepted, readOnly };
}

function declaredBy(prototype: object): Declared {
  const known = declared.get(prototype);
  if (known !== undefined) return known;
  const fresh: Declared = { fields: new Map(), readOnly: new Set() };
  declared.set(prototype, fresh);
  return fresh;
}
