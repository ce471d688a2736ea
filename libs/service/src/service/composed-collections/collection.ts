import { type CollectionDefinition, type Identified, type Method, METHODS } from '../../data/definition/collection.js';
import { defineCollection, type Member } from '../../data/definition/define-collection.js';
import type { CollectionEvents } from '../../data/definition/change-recorder.js';
import type { CollectionRules } from '../../data/definition/collection-rules.js';
import { type MembersInTransaction, membersInTransaction } from '../../data/collections/members-in-transaction.js';
import { addReadOnlyFields, definitionOf, type DtoClass, Filterable, Flag, ReadOnly, RowId } from '@items/fields';

import { requireFittingTable } from './missing-migration.js';

/** Options of {@link collection}. */
export interface CollectionOptions<
  Input extends object,
  Computed extends string = never,
  ServiceFields extends object = object,
> {
  /** Name of the table, path and name of the list in responses: `books`. */
  readonly name: string;
  /** Name of one member: `book`. */
  readonly singular: string;
  /** Class whose decorators define the fields. */
  readonly input: DtoClass<Input>;
  /** Whether changes create events, such as `book.created`. */
  readonly events?: boolean;
  /** Set if members belong to users. The path is then below `/users/{user_id}`. */
  readonly parent?: 'users';
  /**
   * Whether a user with members can be deleted. Default `refuse`: 409 `has_children`. `keep` leaves the members in place.
   */
  readonly onDelete?: 'refuse' | 'keep';
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
  /** Class whose decorators define fields that only rules and `update(tx, …)` set. Responses show them. */
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
   * Names of changes for `update(tx, id, fields, { kind })`: `confirmed` gives the event `order.confirmed`. They are
   * added to `created`, `updated` and `deleted`; if the list has one of these three, it is the whole list.
   */
  readonly kinds?: readonly string[];
  /** Operations that are served. The others are 405. Default: all five. */
  readonly methods?: readonly Method[];
}

type ComputedMember<Input, Computed extends string> = Member<Input> & Readonly<Record<Computed, boolean>>;

/** A definition that also reads and writes its members within a transaction. */
export type Collection<Resource extends Identified, Input> = CollectionDefinition<Resource, Input> &
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
  kinds,
  computed,
  events = false,
  parent,
  onDelete = 'refuse',
  decorators,
  eventsUnguarded = false,
  methods,
  ...named
}: CollectionOptions<Input, Computed, ServiceFields>): Collection<
  ComputedMember<Input, NoInfer<Computed>> & NoInfer<ServiceFields>,
  Input
> {
  type Resource = ComputedMember<Input, Computed> & ServiceFields;
  const owned = parent === undefined ? {} : { parent: 'user_id' };
  const { stored, shown, settable, names } = classesOf(input, fields, computed, parent !== undefined);
  const defaults = Object.fromEntries(
    [...definitionOf(fields ?? NoFields).fields].flatMap(([name, { absence }]) =>
      typeof absence === 'object' ? [[name, absence.value]] : [],
    ),
  );
  const defined = defineCollection<Input, Resource>({
    ...named,
    ...owned,
    dto: shown,
    defaults: defaults as never,
    ...(computed && { computed: computed as never }),
    ...(eventsOf(named, { events, kinds, isOwned: parent !== undefined }) as object),
  });
  const isKept = parent !== undefined && onDelete === 'refuse';
  const table = {
    ...defined,
    ownFields: names,
    metatype: input,
    settable,
    stored,
    ...(rules && { rules: servedRules(named.name, rules, methods) }),
    ...(decorators && { decorators }),
    ...(methods && { methods: servedMethods(named.name, methods) }),
    eventsUnguarded,
    ...(isKept && { foreignKey: { table: parent, singular: 'user' } }),
  };
  const made: Collection<Resource, Input> = {
    ...table,
    ...membersInTransaction<Resource>(() => made),
    requireTable: (database) => requireFittingTable(database, table),
  };
  return made;
}

class NoFields {}

/** @throws {Error} A name is no operation, or is given twice. */
function servedMethods(collection: string, methods: readonly Method[]): readonly Method[] {
  const wrong = methods.find((method, index) => !METHODS.includes(method) || methods.indexOf(method) !== index);
  if (wrong === undefined) return methods;
  throw new Error(`methods of "${collection}" names "${wrong}": it takes each of ${METHODS.join(', ')} once.`);
}

/** @throws {Error} A rule belongs to no operation that is served, so it would never run. */
function servedRules<Rules extends object>(collection: string, rules: Rules, methods: readonly Method[] = METHODS): Rules {
  const unserved = Object.keys(rules).find((name) => !RULED.has(name) || !(methods as readonly string[]).includes(name));
  if (unserved === undefined) return rules;
  throw new Error(`The rule "${unserved}" of "${collection}" never runs: no such operation is served.`);
}

const RULED: ReadonlySet<string> = new Set<Method>(['create', 'replace', 'remove']);
const KINDS = ['created', 'updated', 'deleted'];

interface EventOptions {
  readonly events: boolean;
  readonly kinds: readonly string[] | undefined;
  readonly isOwned: boolean;
}

/** @throws {Error} A kind is no name, or there are no events. */
function eventsOf(
  { name, singular }: { readonly name: string; readonly singular: string },
  { events, kinds, isOwned }: EventOptions,
): { readonly events?: string | CollectionEvents<Readonly<Record<string, unknown>>> } {
  const wrong = kinds?.find((kind, index) => !NAME.test(kind) || kinds.indexOf(kind) !== index);
  if (wrong !== undefined) throw new Error(`kinds of "${name}" names "${wrong}": it takes names in snake_case, each once.`);
  if (!events && kinds !== undefined) throw new Error(`kinds of "${name}" do nothing without events: true.`);
  if (!events) return {};
  const subject = singular.replaceAll(' ', '_');
  if (!isOwned && kinds === undefined) return { events: subject };
  const isWhole = kinds?.some((kind) => KINDS.includes(kind)) === true;
  return {
    events: {
      subject,
      ...(isOwned && { owner: 'user_id' }),
      ...(kinds && { kinds: isWhole ? kinds : [...KINDS, ...kinds] }),
    },
  };
}

const NAME = /^[a-z][a-z0-9_]{0,49}$/;
const OF_EVERY_MEMBER = ['id', 'user_id', 'created_at', 'updated_at', 'lane', 'seq'];

interface Classes<Input extends object> {
  /** Fields that are stored and not computed. */
  readonly stored: DtoClass;
  /** All fields. Clients set those of the input, and may send back the others. */
  readonly shown: DtoClass<Input>;
  /** Fields that a rule may set. */
  readonly settable: ReadonlySet<string>;
  /** Names of all declared fields. */
  readonly names: readonly string[];
}

/** Extends the input class by the fields of the service. @throws {Error} A name is invalid or already used. */
function classesOf<Input extends object>(
  input: DtoClass<Input>,
  fields: DtoClass = NoFields,
  computed: object = {},
  isOwned: boolean,
): Classes<Input> {
  const names = new Set([...definitionOf(input).fields.keys()]);
  const add = (what: string, name: string): string => {
    if (!NAME.test(name)) throw new Error(`The ${what} "${name}" needs a name in snake_case.`);
    if (names.has(name) || OF_EVERY_MEMBER.includes(name))
      throw new Error(`The ${what} "${name}" has the name of another field.`);
    names.add(name);
    return name;
  };
  class Stored extends (input as new () => object) {}
  ReadOnly('id', 'created_at', 'updated_at')(Stored);
  if (isOwned) {
    RowId({ description: 'The user to whom it belongs.' })(Stored.prototype, 'user_id');
    ReadOnly()(Stored.prototype, 'user_id');
  }
  for (const name of definitionOf(fields).fields.keys()) add('field', name);
  addReadOnlyFields(Stored, fields);
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
  return { stored: Stored, shown: Shown as unknown as DtoClass<Input>, settable, names: [...names] };
}
