import type { CollectionDefinition, HasId, Method } from '../../data/definition/collection.js';
import { defineCollection, type Member } from '../../data/definition/define-collection.js';
import type { CollectionRules } from '../../data/definition/collection-rules.js';
import { type MembersInTransaction, membersInTransaction } from '../../data/collections/members-in-transaction.js';
import { referencesOf } from '../../data/definition/references.js';
import type { DtoClass } from '@items/fields';
import { type DeclaredKey, uniqueKey } from '../../data/definition/unique-keys.js';

import { eventsOf, requireSettable, servedMethods, servedRules } from './checked-options.js';
import { classesOf, parentColumn, type ParentOption } from './field-classes.js';
import { requireFittingTable } from './missing-migration.js';

export interface CollectionOptions<
  Input extends object,
  Computed extends string = never,
  ServiceFields extends object = object,
> {
  /** Table, path and list in responses: `books`. */
  readonly name: string;
  /** One member of the collection: `book`. */
  readonly singular: string;
  readonly input: DtoClass<Input>;
  /** Whether changes create events, such as `book.created`. */
  readonly events?: boolean;
  /**
   * `users`: members belong to users, and the path is below `/users/{user_id}`. Another collection, such as `authors`:
   * the path is below `/authors/{author_id}`, and the members have no owner.
   */
  readonly parent?: ParentOption;
  /** Whether a user with members can be deleted. Default `refuse`: 409 `has_children`. `keep` leaves the members. */
  readonly onDelete?: 'refuse' | 'keep';
  /**
   * Keys: no two members have the same values in the fields of a key. Null never conflicts. Below a parent, a key
   * applies within one parent. With `across`, a key applies to all parents.
   * @example
   * unique: ['isbn', ['shelf', 'title'], { fields: ['barcode'], across: true }]
   */
  readonly unique?: readonly DeclaredKey<(keyof NoInfer<Input> | keyof NoInfer<ServiceFields>) & string>[];
  /**
   * Boolean fields that a pure function of the input sets at each write. Lists can filter by them, responses show them,
   * and values that a client sends are ignored. If a function changes, rename the field, because existing rows retain
   * their values.
   * @example
   * computed: { in_stock: (book) => book.stock > 0 }
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
  /**
   * Sets of filters with stored totals, which each write updates. Controllers that list members of all parents need
   * them. A new set stops the start. The message contains the migration that counts members.
   */
  readonly countedFilters?: readonly (readonly string[])[];
  /** Class of fields that only rules and `update(tx, …)` set. Responses show them. */
  readonly fields?: DtoClass<ServiceFields>;
  /**
   * Functions that run in the transaction of a write, and may refuse it.
   * @example
   * rules: {
   *   remove: (book) => {
   *     if (book.lent) throw new ConflictError('lent', 'A lent book cannot be deleted.');
   *   },
   * },
   */
  readonly rules?: CollectionRules<
    ComputedMember<Input, Computed> & ServiceFields,
    Input,
    NoInfer<Input> & NoInfer<ServiceFields>
  >;
  /**
   * Errors of the rules, for the document. Default: 403, 404 and 409 with any code.
   * @example ruleErrors: { remove: [new ConflictError('lent', 'A lent book cannot be deleted.')] }
   */
  readonly ruleErrors?: NonNullable<CollectionDefinition<never, never>['ruleErrors']>;
  /**
   * Kinds of changes for `update(tx, id, fields, { kind })`: `confirmed` creates the event `order.confirmed`. The list
   * extends `created`, `updated` and `deleted`. A list with one of these three names replaces all three.
   */
  readonly kinds?: readonly string[];
  /** Served operations; others are 405. Default: all five. */
  readonly methods?: readonly Method[];
}

type ComputedMember<Input, Computed extends string> = Member<Input> & Readonly<Record<Computed, boolean>>;

/** A definition with functions that read and write its members within a transaction. */
export type Collection<Resource extends HasId, Input> = CollectionDefinition<Resource, Input> &
  MembersInTransaction<Resource>;

/**
 * Defines a collection of a service. Path, scopes, events and table follow from the definition.
 * @example export const books = collection({ name: 'books', singular: 'book', input: BookInput, events: true });
 */
export function collection<
  Input extends object,
  Computed extends string = never,
  ServiceFields extends object = object,
>({
  input,
  fields,
  rules,
  ruleErrors,
  kinds,
  computed,
  events = false,
  parent,
  onDelete = 'refuse',
  unique = [],
  decorators,
  eventsUnguarded = false,
  methods,
  ...named
}: CollectionOptions<Input, Computed, ServiceFields>): Collection<
  ComputedMember<Input, NoInfer<Computed>> & NoInfer<ServiceFields>,
  Input
> {
  type Resource = ComputedMember<Input, Computed> & ServiceFields;
  const column = parentColumn(parent, onDelete);
  const isOwned = parent === 'users';
  const { stored, shown, settable, names, defaults } = classesOf(input, { fields, computed, parent });
  requireSettable(named.name, { fields, rules, methods });
  const defined = defineCollection<Input, Resource>({
    ...named,
    ...(column !== undefined && { parent: column }),
    dto: shown,
    defaults: defaults as never,
    ...(computed && { computed: computed as never }),
    ...(eventsOf(named, { events, kinds, isOwned }) as object),
  });
  const isKept = isOwned && onDelete === 'refuse';
  const table = {
    ...defined,
    ownFields: names,
    unique: unique.map((key) => uniqueKey(named.name, column, key)),
    references: referencesOf(defined.dto, column),
    metatype: input,
    settable,
    stored,
    ...(rules && { rules: servedRules(named.name, rules, methods) }),
    ...(ruleErrors && { ruleErrors }),
    ...(decorators && { decorators }),
    ...(methods && { methods: servedMethods(named.name, methods) }),
    eventsUnguarded,
    ...(isKept && { foreignKey: { table: 'users', singular: 'user' } }),
  };
  const made: Collection<Resource, Input> = {
    ...table,
    ...membersInTransaction<Resource>(() => made),
    requireTable: (database) => requireFittingTable(database, table),
  };
  return made;
}
