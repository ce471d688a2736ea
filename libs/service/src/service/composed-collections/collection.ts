import { type CollectionDefinition, type Method, METHODS } from '../../data/definition/collection.js';
import { defineCollection, type Member } from '../../data/definition/define-collection.js';
import { referencesOf } from '../../data/definition/references.js';
import { type DeclaredKey, uniqueKey } from '../../data/definition/unique-keys.js';
import { definitionOf, type DtoClass, Filterable, Flag, ReadOnly } from '@items/fields';

import { addParentField, parentColumn, type ParentOption } from './parent-option.js';
import { requireFittingTable } from './missing-migration.js';
import { StartRefusedError } from '../../data/definition/start-refused.js';

/** Options of {@link collection}. */
export interface CollectionOptions<Input extends object, Computed extends string = never> {
  /** Name of the table, path and name of the list in responses: `books`. */
  readonly name: string;
  /** Name of one member: `book`. */
  readonly singular: string;
  /** Class whose decorators define the fields. */
  readonly input: DtoClass<Input>;
  /** Whether changes create events, such as `book.created`. */
  readonly events?: boolean;
  /**
   * `users` if members belong to users: the path is then below `/users/{user_id}`. Another collection, such as
   * `authors`: the path is below `/authors/{author_id}`, and nobody owns the members.
   */
  readonly parent?: ParentOption;
  /**
   * Whether a user with members can be deleted. Default `refuse`: 409 `has_children`. `keep` leaves the members in place.
   */
  readonly onDelete?: 'refuse' | 'keep';
  /**
   * Keys of one or several fields: no two members have the same values. Null never conflicts. Below a parent, a key
   * holds within the parent, or for all of them with `across`.
   * @example unique: ['isbn', ['shelf', 'title'], { fields: ['barcode'], across: true }]
   */
  readonly unique?: readonly DeclaredKey<keyof Input & string>[];
  /**
   * Boolean fields that a pure function of the input sets at each write. Lists can filter by them, responses show them,
   * and values that a client sends are ignored. If a function changes, give it a new name, because existing rows retain
   * their values.
   * @example computed: { in_stock: (book) => book.stock > 0 }
   */
  readonly computed?: Readonly<Record<Computed, (input: Input) => boolean>>;
  /**
   * Confirms that `/events` may show members to callers whom guards among `decorators` would refuse. Guards check
   * requests, not rows.
   */
  readonly eventsUnguarded?: boolean;
  /** Class decorators for the routes, such as `UseGuards(TenantGuard)` and `SetMetadata('tenant', true)`. */
  readonly decorators?: readonly ClassDecorator[];
  readonly maxPageSize?: number;
  /** Operations that are served. The others are 405. Default: all five. */
  readonly methods?: readonly Method[];
}

type ComputedMember<Input, Computed extends string> = Member<Input> & Readonly<Record<Computed, boolean>>;

/**
 * Defines a collection of a service. Path, scopes, events and table follow from the definition.
 * @example export const books = collection({ name: 'books', singular: 'book', input: BookInput, events: true });
 */
export function collection<Input extends object, Computed extends string = never>({
  input,
  computed,
  events = false,
  parent,
  onDelete = 'refuse',
  unique = [],
  decorators,
  eventsUnguarded = false,
  methods,
  ...named
}: CollectionOptions<Input, Computed>): CollectionDefinition<ComputedMember<Input, Computed>, Input> {
  const subject = named.singular.replaceAll(' ', '_');
  const column = parentColumn(parent, onDelete);
  const isOwned = parent === 'users';
  const computedNames = namesOf(computed, input);
  const defined = defineCollection<Input, ComputedMember<Input, Computed>>({
    ...named,
    ...(column !== undefined && { parent: column }),
    dto: shownInput(input, parent, computedNames),
    ...(computed && { computed: computed as never }),
    ...(events && { events: isOwned ? { subject, owner: 'user_id' as never } : subject }),
  });
  const isKept = isOwned && onDelete === 'refuse';
  const ownFields = [...fieldNamesOf(input), ...computedNames];
  const table = {
    ...defined,
    ownFields,
    unique: unique.map((key) => uniqueKey(named.name, column, key)),
    references: referencesOf(defined.dto, column),
    metatype: input,
    ...(decorators && { decorators }),
    ...(methods && { methods: servedMethods(named.name, methods) }),
    eventsUnguarded,
    ...(isKept && { foreignKey: { table: 'users', singular: 'user' } }),
  };
  return { ...table, requireTable: (database) => requireFittingTable(database, table) };
}

/** @throws {Error} A name is no operation, or is given twice. */
function servedMethods(collection: string, methods: readonly Method[]): readonly Method[] {
  const wrong = methods.find((method, index) => !METHODS.includes(method) || methods.indexOf(method) !== index);
  if (wrong === undefined) return methods;
  throw new Error(`methods of "${collection}" names "${wrong}": it takes each of ${METHODS.join(', ')} once.`);
}

const OF_EVERY_MEMBER = ['id', 'user_id', 'created_at', 'updated_at', 'lane', 'seq'];

/** Extends the input class so that it ignores the other fields of a response, such as `id`. */
function shownInput<Input extends object>(
  input: DtoClass<Input>,
  parent: ParentOption | undefined,
  computed: readonly string[],
): DtoClass<Input> {
  class Shown extends (input as new () => object) {}
  Object.defineProperty(Shown, 'name', { value: input.name });
  ReadOnly('id', 'created_at', 'updated_at')(Shown);
  addParentField(Shown, parent);
  for (const name of computed) {
    Flag({ description: 'The service sets it from the other fields.' })(Shown.prototype, name);
    Filterable()(Shown.prototype, name);
    ReadOnly()(Shown.prototype, name);
  }
  return Shown as unknown as DtoClass<Input>;
}

/** @throws {StartRefusedError} the decorators of the class contradict each other. */
function fieldNamesOf(input: DtoClass): readonly string[] {
  try {
    return [...definitionOf(input).fields.keys()];
  } catch (error) {
    throw new StartRefusedError(error instanceof Error ? error.message : String(error));
  }
}

/** Returns the names of the computed fields. @throws {StartRefusedError} a name is invalid or already used. */
function namesOf(computed: object = {}, input: DtoClass): string[] {
  const taken = new Set([...fieldNamesOf(input), ...OF_EVERY_MEMBER]);
  return Object.keys(computed).map((name) => {
    if (!/^[a-z][a-z0-9_]{0,49}$/.test(name))
      throw new StartRefusedError(`The computed field "${name}" needs a name in snake_case.`);
    if (taken.has(name)) throw new StartRefusedError(`The computed field "${name}" has the name of another field.`);
    return name;
  });
}
