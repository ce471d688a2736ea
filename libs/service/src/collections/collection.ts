import { type CollectionDefinition, defineCollection, type Member } from '@items/collections';
import { serveCollections } from '@items/contracts';
import { type DtoClass, ReadOnly, RowId } from '@items/fields';

import { requireFittingTable } from './missing-migration.js';

/** What a team says of a collection. */
export interface CollectionOptions<Input extends object> {
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
  /** Most members a page. */
  readonly maxPageSize?: number;
}

/** The names of all collections of this process, as they stand in scopes. */
const names = new Set<string>();

/**
 * A collection of a service: its path, scopes, events and table follow from this.
 * @example export const books = collection({ name: 'books', singular: 'book', input: BookInput, events: true });
 */
export function collection<Input extends object>({
  input,
  events = false,
  parent,
  onDelete = 'refuse',
  ...named
}: CollectionOptions<Input>): CollectionDefinition<Member<Input>, Input> {
  names.add(named.name.replaceAll('_', '-'));
  serveCollections([...names]);
  const subject = named.singular.replaceAll(' ', '_');
  const owned = parent === undefined ? {} : { parent: 'user_id' };
  const defined = defineCollection<Input, Member<Input>>({
    ...named,
    ...owned,
    dto: shownInput(input, parent !== undefined),
    ...(events && { events: parent === undefined ? subject : { subject, owner: 'user_id' as never } }),
  });
  const isKept = parent !== undefined && onDelete === 'refuse';
  const table = { ...defined, ...(isKept && { keptBy: { table: parent, singular: 'user' } }) };
  return { ...table, requireTable: (database) => requireFittingTable(database, table) };
}

/** The input, which ignores what a response shows beside it. */
function shownInput<Input extends object>(input: DtoClass<Input>, isOwned: boolean): DtoClass<Input> {
  class Shown extends (input as new () => object) {}
  Object.defineProperty(Shown, 'name', { value: input.name });
  ReadOnly('id', 'created_at', 'updated_at')(Shown);
  if (isOwned) {
    RowId({ description: 'The user to whom it belongs.' })(Shown.prototype, 'user_id');
    ReadOnly()(Shown.prototype, 'user_id');
  }
  return Shown as unknown as DtoClass<Input>;
}
