import { getMetadataStorage, validateSync } from 'class-validator';

import type { Absence, DtoClass, FieldDefinition } from './definition.js';

/** Marks this lib's own among the rules that class-validator knows. */
export const OWN = { context: Symbol('@items/fields') };

/** What is wrong with one field of an object. */
export interface Problem {
  readonly field: string;
  readonly code: string;
  /** The sentence without its subject. */
  readonly message: string;
}

/** Finds what is wrong with an object: of each field the first rule that does not hold. */
export type Judge = (object: object) => readonly Problem[];

/**
 * The judge of a class. This lib's rules are called directly, which costs an eighth of what class-validator's executor does;
 * where a class has rules of other decorators as well, that executor is asked. ADR 53
 */
export function judgeOf(dto: DtoClass, fields: ReadonlyMap<string, FieldDefinition>): Judge {
  return hasOthersRules(dto) ? judgeByExecutor : judgeBy([...fields]);
}

function judgeBy(fields: readonly (readonly [string, FieldDefinition])[]): Judge {
  return (object) => {
    const values = object as Readonly<Record<string, unknown>>;
    const problems: Problem[] = [];
    for (const [field, { absence, rules }] of fields) {
      const value = values[field];
      if (isAbsent(value, absence)) continue;
      // One problem a field is enough: each rule takes for granted that those before it hold.
      const broken = rules.find(({ holds }) => !holds(value));
      if (broken !== undefined) problems.push({ field, code: broken.code, message: broken.message });
    }
    return problems;
  };
}

/** Whether a value stands for a field that was rightly left out. */
function isAbsent(value: unknown, absence: Absence): boolean {
  if (value === undefined) return absence !== 'refused';
  return value === null && (absence === 'null' || absence === 'kept or cleared');
}

function judgeByExecutor(object: object): Problem[] {
  return validateSync(object, { stopAtFirstError: true, forbidUnknownValues: false }).flatMap(
    ({ property: field, constraints = {} }) =>
      Object.entries(constraints).map(([code, message]) => ({ field, code, message })),
  );
}

function hasOthersRules(dto: DtoClass): boolean {
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  return rules.some(({ context }) => context !== OWN.context);
}
