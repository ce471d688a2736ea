import { ValidateBy } from 'class-validator';

import {
  declaredField,
  declareField,
  hasOwnKind,
  type FieldDefinition,
  type FieldRule,
  isRequired,
  type EnumOverrides,
  REQUIRED,
  type ValueKind,
} from './definition.js';
import { OWN } from './foreign-rules.js';
import type { JsonSchema } from './json-schema.js';

/** What the API's documentation says of a field beside its rules. */
export interface FieldDocumentation {
  /** Sentences for people. */
  readonly description?: string;
  /** A value that the field accepts. */
  readonly example?: unknown;
  /** Whether the service never shows it. */
  readonly writeOnly?: boolean;
}

/** One kind of field: its type, then its rules in the order in which they are judged. */
export interface FieldKind<T> {
  readonly schema: JsonSchema;
  /** Left out: the value is just itself. */
  readonly kind?: ValueKind;
  readonly type: { readonly message: string; readonly is: (value: unknown) => value is T };
  readonly rules: readonly FieldRule<T>[];
  /** Rules with the enums of a service. */
  readonly rulesIn?: (overrides: EnumOverrides) => readonly FieldRule<T>[];
  readonly normalise?: FieldDefinition['normalise'];
  readonly nested?: FieldDefinition['nested'];
}

/** A decorator of a property. */
export type FieldDecorator = (prototype: object, name: string) => void;

/** Makes the decorator of a kind: it declares the field, and registers each rule with class-validator as well. */
export function field<T>(kind: FieldKind<T>, { description, example, writeOnly }: FieldDocumentation): FieldDecorator {
  const schema = {
    ...kind.schema,
    ...(description !== undefined && { description }),
    ...(example !== undefined && { examples: [example] }),
    ...(writeOnly === true && { writeOnly }),
  };
  const { normalise, nested, rulesIn: ownRules } = kind;
  const rules = allRules(kind, kind.rules);
  const rulesIn = ownRules && ((overrides: EnumOverrides) => allRules(kind, ownRules(overrides)));
  return (prototype, name) => {
    if (hasOwnKind(prototype, name))
      throw new Error(`"${name}" is declared to be of two kinds: leave one of them out.`);
    // All of a kind: where a class declares an inherited field anew, nothing of its former kind is left.
    declareField(prototype, name, { schema, kind: kind.kind ?? 'plain', rules, rulesIn, normalise, nested });
    // class-validator judges by all of them: a rule says nothing there of a value of another type, whose fault is named already.
    const { is } = kind.type;
    const [ofType, ...others] = rules;
    const alone = others.map((rule) => ({
      ...rule,
      holds: (value: unknown) =>
        !is(value) ||
        (rule.onlyIfRequired === true && !isRequired(declaredField(prototype, name))) ||
        rule.holds(value),
    }));
    for (const rule of [REQUIRED, ofType, ...alone]) constrain(rule)(prototype, name);
  };
}

function allRules<T>(
  { type }: FieldKind<T>,
  rules: readonly FieldRule<T>[],
): readonly [ofType: FieldRule<unknown>, ...FieldRule<unknown>[]] {
  return [
    { code: 'wrong_type', message: type.message, holds: type.is },
    // Judged in this order, so that they are asked of values of the type alone.
    ...(rules as readonly FieldRule<unknown>[]),
  ];
}

function constrain({ code, message, holds }: FieldRule<unknown>): PropertyDecorator {
  return ValidateBy({ name: code, validator: { validate: holds, defaultMessage: () => message } }, OWN);
}
