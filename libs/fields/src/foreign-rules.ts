import { type ErrorDetail, isPromise } from '@items/conventions';
import { getMetadataStorage, validateSync, type ValidationError, ValidationTypes } from 'class-validator';
import { type DtoClass, lineage } from './dto-class.js';

const MARK = Symbol('@items/fields');
/** Marks our rules in the metadata of class-validator. */
export const OWN = { context: { [MARK]: true } };

/** Values of all JSON types. A rule is called with each, to find out whether it returns a promise. */
const PROBES: readonly unknown[] = [undefined, null, '', 'a', 0, 1, true, [], ['a'], {}];

const compatible = new WeakSet<DtoClass>();

type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/** @throws {Error} A rule of class-validator cannot run together with ours. The message names the field. */
export function requireCompatibleRules(dto: DtoClass, fields: ReadonlyMap<string, unknown>): void {
  if (compatible.has(dto)) return;
  for (const metadata of foreignLevels(dto).flatMap(({ rules }) => rules)) {
    const { propertyName: name, type } = metadata;
    const refuse = (sentence: string): never => {
      throw new Error(`${dto.name}: "${name}" ${sentence}`);
    };
    if (type === ValidationTypes.WHITELIST) continue;
    if (!fields.has(name)) refuse('has only rules of class-validator: add a decorator of @items/fields.');
    if (type === ValidationTypes.CONDITIONAL_VALIDATION) {
      refuse(
        'has @IsOptional() or @ValidateIf() of class-validator: use @Optional(), @KeptIfAbsent() or @DefaultsTo().',
      );
    }
    if (type === ValidationTypes.NESTED_VALIDATION || type === ValidationTypes.PROMISE_VALIDATION) {
      refuse('has @ValidateNested() or @ValidatePromise() of class-validator: use @Nested() or @NestedList().');
    }
    if (isAsynchronous(metadata)) refuse('has an asynchronous rule: check that after the validation of the body.');
  }
  compatible.add(dto);
}

/**
 * Returns a function that applies rules of other decorators, including inherited ones, or undefined if there are none.
 * The function returns the same as a `Validator`.
 * @param accepted The object without its refused fields.
 */
export function foreignValidator(dto: DtoClass): ((accepted: object) => readonly ErrorDetail[]) | undefined {
  const levels = foreignLevels(dto).reverse();
  if (levels.length === 0) return undefined;
  return (accepted) => {
    const found = new Map<string, ErrorDetail>();
    for (const { prototype } of levels) {
      // Validate as an instance of each class, because class-validator omits inherited rules of a redeclared property.
      const seen = Object.assign(Object.create(prototype) as object, accepted);
      for (const error of validateSync(seen, { forbidUnknownValues: false, skipUndefinedProperties: true })) {
        const problem = foreignProblemOf(error);
        if (problem !== undefined && !found.has(problem.field)) found.set(problem.field, problem);
      }
    }
    return [...found.values()];
  };
}

/** Classes with rules of other decorators, the base class first. */
function foreignLevels(dto: DtoClass): { readonly prototype: object; readonly rules: readonly Metadata[] }[] {
  return lineage(dto.prototype as object).flatMap((prototype) => {
    const target = prototype.constructor;
    const all = getMetadataStorage().getTargetValidationMetadatas(target, '', false, false);
    const rules = all.filter((rule) => rule.target === target && rule.context !== OWN.context);
    return rules.length === 0 ? [] : [{ prototype, rules }];
  });
}

/** Returns true if the rule has `async: true`, or returns a promise for one of `PROBES`. */
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
    // A rule that throws has returned no promise.
    return false;
  }
}

function foreignProblemOf({ property, constraints = {}, contexts = {} }: ValidationError): ErrorDetail | undefined {
  for (const [name, message] of Object.entries(constraints)) {
    const context = contexts[name] as Readonly<Record<symbol, unknown>> | undefined;
    if (context?.[MARK] === true) continue;
    return { field: property, code: snakeCase(name), message: withoutSubject(message, property) };
  }
  return undefined;
}

function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}

/** Messages of class-validator begin with the property and have no full stop. */
function withoutSubject(message: string, property: string): string {
  const rest = message.startsWith(`${property} `) ? message.slice(property.length + 1) : `is not accepted: ${message}`;
  return /[.!?]$/.test(rest) ? rest : `${rest}.`;
}
