import {
  addReadOnlyFields,
  definitionOf,
  type DtoClass,
  Filterable,
  Flag,
  ReadOnly,
  Reference,
  RowId,
} from '@items/fields';

import type { ReferenceTarget } from '../../data/definition/references.js';
import { StartRefusedError } from '../../data/definition/start-refused.js';

const NAME = /^[a-z][a-z0-9_]{0,49}$/;
const OF_EVERY_MEMBER = ['id', 'user_id', 'created_at', 'updated_at', 'lane', 'seq'];

interface Classes<Input extends object> {
  readonly stored: DtoClass;
  /** Class of all fields. Clients set the fields of the input; other fields that they send are ignored. */
  readonly shown: DtoClass<Input>;
  readonly settable: ReadonlySet<string>;
  readonly names: readonly string[];
  /** Initial values of service fields, by name. */
  readonly defaults: Readonly<Record<string, unknown>>;
}

interface ClassOptions {
  readonly fields: DtoClass | undefined;
  readonly computed: object | undefined;
  readonly parent: ParentOption | undefined;
}

/** @throws {StartRefusedError} A name is invalid or already used. */
export function classesOf<Input extends object>(
  input: DtoClass<Input>,
  { fields, computed = {}, parent }: ClassOptions,
): Classes<Input> {
  const names = new Set(fieldNamesOf(input));
  const add = (what: string, name: string): string => {
    if (!NAME.test(name)) throw new StartRefusedError(`The ${what} "${name}" needs a name in snake_case.`);
    if (names.has(name) || OF_EVERY_MEMBER.includes(name))
      throw new StartRefusedError(`The ${what} "${name}" has the name of another field.`);
    names.add(name);
    return name;
  };
  class Stored extends (input as new () => object) {}
  ReadOnly('id', 'created_at', 'updated_at')(Stored);
  addParentField(Stored, parent);
  if (fields !== undefined) {
    for (const name of fieldNamesOf(fields)) add('field', name);
    addReadOnlyFields(Stored, fields);
  }
  const settable = new Set(names);
  class Shown extends Stored {}
  for (const name of Object.keys(computed)) {
    add('computed field', name);
    Flag({ description: 'The service sets it from the other fields.' })(Shown.prototype, name);
    Filterable()(Shown.prototype, name);
    ReadOnly()(Shown.prototype, name);
    ReadOnly(name)(Stored);
  }
  for (const made of [Stored, Shown]) Object.defineProperty(made, 'name', { value: input.name });
  const serviceFields = fields === undefined ? [] : [...definitionOf(fields).fields];
  const defaults = Object.fromEntries(
    serviceFields.flatMap(([name, { absence }]) => (typeof absence === 'object' ? [[name, absence.value]] : [])),
  );
  return { stored: Stored, shown: Shown as unknown as DtoClass<Input>, settable, names: [...names], defaults };
}

/** @throws {StartRefusedError} The decorators of the class contradict each other. */
function fieldNamesOf(dto: DtoClass): readonly string[] {
  try {
    return [...definitionOf(dto).fields.keys()];
  } catch (error) {
    throw new StartRefusedError(error instanceof Error ? error.message : String(error));
  }
}

export type ParentOption = 'users' | ReferenceTarget;

/**
 * Returns `user_id`, or `author_id` for the singular `author`.
 * @throws {StartRefusedError} `keep` for a parent other than `users`: the members would have no path.
 */
export function parentColumn(parent: ParentOption | undefined, onDelete?: 'refuse' | 'keep'): string | undefined {
  if (parent === undefined) return undefined;
  if (parent !== 'users' && onDelete === 'keep') {
    throw new StartRefusedError(
      `Members below "${parent.name}" cannot outlive their ${parent.singular}: onDelete: 'keep' needs parent: 'users'.`,
    );
  }
  return parent === 'users' ? 'user_id' : `${parent.singular.toLowerCase().replaceAll(' ', '_')}_id`;
}

/** Adds the read-only column of the parent. Responses show this column; input for it is ignored. */
function addParentField(dto: DtoClass, parent: ParentOption | undefined): void {
  const column = parentColumn(parent);
  if (parent === undefined || column === undefined) return;
  const prototype = dto.prototype as object;
  if (parent === 'users') RowId({ description: 'The user to whom it belongs.' })(prototype, column);
  else Reference(parent, { description: `The ${parent.singular} to which it belongs.` })(prototype, column);
  ReadOnly()(prototype, column);
}
