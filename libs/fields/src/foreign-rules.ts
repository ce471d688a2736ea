import { isPromise } from '@items/conventions';
import { getMetadataStorage, validateSync, type ValidationError, ValidationTypes } from 'class-validator';

import type { DtoClass } from './dto-class.js';
import { lineage } from './lineage.js';

const MARK = Symbol('@items/fields');
/** Marks this lib's own among the rules that class-validator knows. */
export const OWN = { context: { [MARK]: true } };

/** A problem that a rule of another decorator finds. */
export interface ForeignProblem {
  readonly field: string;
  readonly code: string;
  /** The sentence without its subject. */
  readonly message: string;
}

/** Values of all types that JSON knows, for a look at what a rule returns. */
const PROBES: readonly unknown[] = [undefined, null, '', 'a', 0, 1, true, [], ['a'], {}];

/** Classes of which all rules have been looked at. */
const judgeable = new WeakSet<DtoClass>();

type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/**
 * Refuses a class of which some rules could not be judged with this lib's own.
 * @throws {Error} a sentence that names the field.
 */
export function requireJudgeable(dto: DtoClass, fields: ReadonlyMap<string, unknown>): void {
  if (judgeable.has(dto)) return;
  for (const metadata of foreignLevels(dto).flatMap(({ rules }) => rules)) {
    const { propertyName: name, type } = metadata;
    const refuse = (sentence: string): never => {
      throw new Error(`${dto.name}: "${name}" ${sentence}`);
    };
    if (type === ValidationTypes.WHITELIST) continue;
    if (!fields.has(name))
      refuse('has rules of class-validator alone: say by a decorator of @items/fields what it is.');
    if (type === ValidationTypes.CONDITIONAL_VALIDATION) {
      refuse(
        'has @IsOptional() or @ValidateIf() of class-validator: use @Optional(), @KeptIfAbsent() or @DefaultsTo().',
      );
    }
    if (type === ValidationTypes.NESTED_VALIDATION || type === ValidationTypes.PROMISE_VALIDATION) {
      refuse('has @ValidateNested() or @ValidatePromise() of class-validator: use @Nested() or @NestedList().');
    }
    if (isAsynchronous(metadata)) refuse('has an asynchronous rule: judge that behind the validation of the body.');
  }
  judgeable.add(dto);
}

/**
 * Makes the function that judges an object by the rules of other decorators, those of the class and of each class that it
 * extends, as class-validator documents it: of each field the first that does not hold. Undefined where there are none.
 * @param accepted the object without the fields in which something is wrong already.
 */
export function foreignJudge(dto: DtoClass): ((accepted: object) => readonly ForeignProblem[]) | undefined {
  const levels = foreignLevels(dto).reverse();
  if (levels.length === 0) return undefined;
  return (accepted) => {
    const found = new Map<string, ForeignProblem>();
    for (const { prototype } of levels) {
      // As an object of that class: class-validator leaves out what is inherited where a property is declared again.
      const seen = Object.assign(Object.create(prototype) as object, accepted);
      for (const error of validateSync(seen, { forbidUnknownValues: false, skipUndefinedProperties: true })) {
        const problem = foreignProblemOf(error);
        if (problem !== undefined && !found.has(problem.field)) found.set(problem.field, problem);
      }
    }
    return [...found.values()];
  };
}

/** The classes that have rules of other decorators themselves, the furthest one first. */
function foreignLevels(dto: DtoClass): { readonly prototype: object; readonly rules: readonly Metadata[] }[] {
  return lineage(dto.prototype as object).flatMap((prototype) => {
    const target = prototype.constructor;
    const all = getMetadataStorage().getTargetValidationMetadatas(target, '', false, false);
    const rules = all.filter((rule) => rule.target === target && rule.context !== OWN.context);
    return rules.length === 0 ? [] : [{ prototype, rules }];
  });
}

/** By what it says of itself, and by what it returns. */
function isAsynchronous(metadata: Metadata): boolean {
  return getMetadataStorage()
    .getTargetValidatorConstraints(metadata.constraintCls)
    .some(
      (constraint) => constraint.async || PROBES.some((value) => returnsPromise(constraint.instance, metadata, value)),
    );
}

type Constraint = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidatorConstraints']>[number];

function returnsPromise(constraint: Constraint['instance'], metadata: Metadata, value: unknown): boolean {
  const { propertyName: property, constraints } = metadata;
  try {
    const result: unknown = constraint.validate(value, { value, property, constraints, object: {}, targetName: '' });
    if (!isPromise(result)) return false;
    Promise.resolve(result).catch(() => undefined);
    return true;
  } catch {
    // It takes another type for granted.
    return false;
  }
}

function foreignProblemOf({ property, constraints = {}, contexts = {} }: ValidationError): ForeignProblem | undefined {
  for (const [name, message] of Object.entries(constraints)) {
    const context = contexts[name] as Readonly<Record<symbol, unknown>> | undefined;
    if (context?.[MARK] === true) continue;
    return { field: property, code: snakeCase(name), message: withoutSubject(message, property) };
  }
  return undefined;
}

/** `isEmail` is `is_email`. */
function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}

/** class-validator's sentences begin with the property, and end without a full stop. */
function withoutSubject(message: string, property: string): string {
  const rest = message.startsWith(`${property} `) ? message.slice(property.length + 1) : `is not accepted: ${message}`;
  return /[.!?]$/.test(rest) ? rest : `${rest}.`;
}
