import { ValidateBy } from 'class-validator';
import {
  declaredField,
  declareField,
  type FieldDefinition,
  type FieldRule,
  isRequired,
  type EnumOverrides,
  REQUIRED,
  type ValueKind,
} from './definition.js';
import { OWN } from './foreign-rules.js';
import type { JsonSchema } from './dto-class.js';
import { makeStandard } from './standard-schema.js';

/** Documentation that does not follow from the rules of the field. */
export interface FieldDocumentation {
  readonly description?: string;
  readonly example?: unknown;
  readonly writeOnly?: boolean;
}

/** Validation checks `type` first, then `rules` in order. */
export interface FieldKind<T> {
  readonly schema: JsonSchema;
  /** Default: `plain`. */
  readonly kind?: ValueKind;
  readonly type: { readonly message: string; readonly is: (value: unknown) => value is T };
  readonly rules: readonly FieldRule<T>[];
  readonly rulesIn?: (overrides: EnumOverrides) => readonly FieldRule<T>[];
  readonly normalise?: FieldDefinition['normalise'];
  readonly nested?: FieldDefinition['nested'];
  readonly reference?: FieldDefinition['reference'];
}

export type FieldDecorator = (prototype: object, name: string) => void;

/** Makes a decorator that declares the field and registers each rule with class-validator. */
export function field<T>(kind: FieldKind<T>, { description, example, writeOnly }: FieldDocumentation): FieldDecorator {
  const schema = {
    ...kind.schema,
    ...(description !== undefined && { description }),
    ...(example !== undefined && { examples: [example] }),
    ...(writeOnly === true && { writeOnly }),
  };
  const { normalise, nested, reference, rulesIn: ownRules } = kind;
  const rules = allRules(kind, kind.rules);
  const rulesIn = ownRules && ((overrides: EnumOverrides) => allRules(kind, ownRules(overrides)));
  return (prototype, name) => {
    if (declaredField(prototype, name)?.rules !== undefined)
      throw new Error(`"${name}" has decorators of two kinds: remove one of them.`);
    makeStandard(prototype);
    // Sets even undefined members, to replace inherited ones.
    declareField(prototype, name, { schema, kind: kind.kind ?? 'plain', rules, rulesIn, normalise, nested, reference });
    // class-validator applies all rules to every value. Only the type rule refuses a wrong type; the others accept it.
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
    // The type rule is first, so that the others only get values of the type.
    ...(rules as readonly FieldRule<unknown>[]),
  ];
}

function constrain({ code, message, holds }: FieldRule<unknown>): PropertyDecorator {
  return ValidateBy({ name: code, validator: { validate: holds, defaultMessage: () => message } }, OWN);
}
