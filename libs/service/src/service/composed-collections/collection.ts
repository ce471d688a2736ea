import type { CollectionDefinition } from '../../data/definition/collection.js';
import { defineCollection, type Member } from '../../data/definition/define-collection.js';
import { definitionOf, type DtoClass, Filterable, Flag, ReadOnly, RowId } from '@items/fields';

import { requireFittingTable } from './missing-migration.js';

/** What a team says of a collection. */
export interface CollectionOptions<Input extends object, Computed extends string = never> {
  /** The table, the path and the list member: `books`. */
  readonly name: string;
  /** One member: `book`. */
  readonly singular: string;
  /** The class whose decorators say the fields. */
  readonly input: DtoClass<Input>;
  /** Whether its changes make events, such as `book.created`. */
  readonly events?: boolean;
  /** Members belong to users, below `/users/{user_id}`. */
  readonly parent?: 'users';
  /** Whether a user who has members can be deleted: `refuse` (409 `has_children`) where it is left out, `keep` leaves the members. */
  readonly onDelete?: 'refuse' | 'keep';
  /**
   * Fields that a pure function of the input fills at each write: `true` or `false`. Lists are filtered by them, and responses show
   * them; what a client sends of them is ignored. A function that has changed needs a new name: rows keep what they have.
   * @example computed: { in_stock: (book) => book.stock > 0 }
   */
  readonly computed?: Readonly<Record<Computed, (input: Input) => boolean>>;
  /**
   * Whether `/events` may show members to callers whom guards among `decorators` would refuse: a guard decides on requests,
   * not on rows.
   */
  readonly eventsUnguarded?: boolean;
  /** Class decorators of Nest for the routes, such as `UseGuards(TenantGuard)` and `SetMetadata('tenant', true)`. */
  readonly decorators?: readonly ClassDecorator[];
  /** Most members a page. */
  readonly maxPageSize?: number;
}

/** A member as it is shown. */
type ComputedMember<Input, Computed extends string> = Member<Input> & Readonly<Record<Computed, boolean>>;

/**
 * A collection of a service: its path, scopes, events and table follow from this.
 * @example export const books = collection({ name: 'books', singular: 'book', input: BookInput, events: true });
 */
export function collection<Input extends object, Computed extends string = never>({
  input,
  computed,
  events = false,
  parent,
  onDelete = 'refuse',
  decorators,
  eventsUnguarded = false,
  ...named
}: CollectionOptions<Input, Computed>): CollectionDefinition<ComputedMember<Input, Computed>, Input> {
  const subject = named.singular.replaceAll(' ', '_');
  const owned = parent === undefined ? {} : { parent: 'user_id' };
  const computedNames = namesOf(computed, input);
  const defined = defineCollection<Input, ComputedMember<Input, Computed>>({
    ...named,
    ...owned,
    dto: shownInput(input, parent !== undefined, computedNames),
    ...(computed && { computed: computed as never }),
    ...(events && { events: parent === undefined ? subject : { subject, owner: 'user_id' as never } }),
  });
  const isKept = parent !== undefined && onDelete === 'refuse';
  const ownFields = [...definitionOf(input).fields.keys(), ...computedNames];
  const table = {
    ...defined,
    ownFields,
    metatype: input,
    ...(decorators && { decorators }),
    eventsUnguarded,
    ...(isKept && { foreignKey: { table: parent, singular: 'user' } }),
  };
  return { ...table, requireTable: (database) => requireFittingTable(database, table) };
}

const OF_EVERY_MEMBER = ['id', 'user_id', 'created_at', 'updated_at', 'lane', 'seq'];

/** The input, which ignores what a response shows beside it. */
function shownInput<Input extends object>(
  input: DtoClass<Input>,
  isOwned: boolean,
  computed: readonly string[],
): DtoClass<Input> {
  class Shown extends (input as new () => object) {}
  Object.defineProperty(Shown, 'name', { value: input.name });
  ReadOnly('id', 'created_at', 'updated_at')(Shown);
  if (isOwned) {
    RowId({ description: 'The user to whom it belongs.' })(Shown.prototype, 'user_id');
    ReadOnly()(Shown.prototype, 'user_id');
  }
  for (const name of computed) {
    Flag({ description: 'The service sets it from the other fields.' })(Shown.prototype, name);
    Filterable()(Shown.prototype, name);
    ReadOnly()(Shown.prototype, name);
  }
  return Shown as unknown as DtoClass<Input>;
}

/** @throws {Error} a name is no name of a field, or is taken. */
function namesOf(computed: object = {}, input: DtoClass): string[] {
  const taken = new Set([...definitionOf(input).fields.keys(), ...OF_EVERY_MEMBER]);
  return Object.keys(computed).map((name) => {
    if (!/^[a-z][a-z0-9_]{0,49}$/.test(name))
      throw new Error(`The computed field "${name}" needs a name in snake_case.`);
    if (taken.has(name)) throw new Error(`The computed field "${name}" has the name of another field.`);
    return name;
  });
}
