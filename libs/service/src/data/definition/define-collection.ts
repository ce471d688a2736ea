import { MAX_PAGE_SIZE } from '@items/conventions';
import { definitionOf, type DtoClass } from '@items/fields';
import { timeRange } from '@items/paging';
import type { CollectionAudit, CollectionEvents } from './change-recorder.js';
import type { CollectionDefinition, Fields, HasId, Stamps } from './collection.js';
import { rowsPerRead } from './largest-member.js';
import { keyBytesOf } from './cursor-room.js';
import { filterOf, rangeOf } from './field-filters.js';
import { rowMapping } from './row-mapping.js';
import { StartRefusedError } from './start-refused.js';

export interface CollectionDeclaration<Input extends object, Resource extends HasId, Hidden> {
  /** Name of the table and of the list in responses: `books`. */
  readonly name: string;
  /** Name of one member in sentences: `book`. */
  readonly singular: string;
  /**
   * Class of the input. The JSON has the order of its fields. Decorators make them nullable, read-only
   * (`@ReadOnly()`), sortable (`@Sortable()`) or filterable (`@Filterable()`).
   */
  readonly dto: DtoClass<Input>;
  /** Times by which lists can be sorted. Default: both. */
  readonly sortableTimes?: readonly ('created_at' | 'updated_at')[];
  /** Column of the path parameter of a nested collection, such as `user_id`. */
  readonly parent?: string;
  /** Default and upper limit: 100. Choose less for large members. */
  readonly maxPageSize?: number;
  /** Sets of filter fields whose totals each write maintains. Single filters always have such a total. */
  readonly countedFilters?: readonly (readonly string[])[];
  /** Values of omitted fields of a new member. Default: null. */
  readonly defaults?: Fields<Resource, Hidden>;
  /** Nullable columns that are not public fields. */
  readonly hidden?: readonly (keyof Hidden & string)[];
  /** Fields computed on each read. They have no column. */
  readonly derived?: { readonly [Field in keyof Resource]?: (row: HasId & Hidden) => Resource[Field] };
  /** Column names of fields whose own name is an SQL keyword. */
  readonly columnNames?: { readonly [Field in keyof Resource]?: string };
  /**
   * Boolean fields of `dto` that each write computes by a pure function of the other fields. Their columns are null in
   * older rows until `fillComputed()` runs.
   */
  readonly computed?: { readonly [Field in keyof Resource]?: (member: Input) => boolean };
  /** Members never change and have no `updated_at`. */
  readonly immutable?: boolean;
  /** Disables reads from a standby. Set this if access decisions depend on the rows. */
  readonly onlyFromPrimary?: boolean;
  /** Makes an event for each write, such as `book.created` for the subject `book`. Default: no events. */
  readonly events?: string | CollectionEvents<Resource>;
  readonly audit?: CollectionAudit;
}

export type Member<Input> = Input & Stamps;

/**
 * Defines a collection whose columns follow from its fields.
 * @example
 * class BookDto {
 *   \@Sortable() \@Text({ max: 200 }) title!: string;
 * }
 * export const books = defineCollection({ name: 'books', singular: 'book', dto: BookDto });
 * @throws {StartRefusedError} A filterable or sortable field is unsupported, or `maxPageSize` is not from 1 to 100.
 */
export function defineCollection<
  Input extends object,
  Resource extends HasId = Member<Input>,
  Hidden extends object = object,
>(declaration: CollectionDeclaration<Input, Resource, Hidden>): CollectionDefinition<Resource, Input, Hidden> {
  const { name, singular, dto, parent, sortableTimes = ['created_at', 'updated_at'], immutable = false } = declaration;
  const maxPageSize = pageSizeOf(declaration);
  const fields = [...definitionOf(dto).fields].filter(([, { schema }]) => schema['writeOnly'] !== true);
  const filterable = fields.filter(([, field]) => field.filterable);
  const parents = parent === undefined ? [] : [parent];
  const mapping = rowMapping<Resource, Hidden>(fields, {
    ...declaration,
    hidden: [
      ...parents
        .filter((column) => !fields.some(([field]) => field === column))
        .map((column) => ({ name: column, nullable: false })),
      ...(declaration.hidden ?? []).map((column) => ({ name: column, nullable: true })),
    ],
  });
  const sortable = fields.filter(([, field]) => field.sortable);
  return {
    name,
    singular,
    parent,
    dto,
    immutable,
    maxPageSize,
    rowsPerRead: rowsPerRead(fields.map(([, field]) => field)),
    ...(declaration.onlyFromPrimary === true && { onlyFromPrimary: true }),
    ...(declaration.events !== undefined && { events: declaration.events }),
    ...(declaration.audit !== undefined && { audit: declaration.audit }),
    sortable: [...sortable.map(([field]) => field), ...sortableTimes],
    keyBytes: Object.fromEntries(sortable.map(([field, rules]) => [field, keyBytesOf(field, rules)])),
    ranges: Object.fromEntries([
      ...sortable.flatMap(([field, rules]) => {
        const range = rangeOf(rules);
        return range === undefined ? [] : [[field, range] as const];
      }),
      ...sortableTimes.map((time) => [time, timeRange] as const),
    ]),
    filters: Object.fromEntries(filterable.map(([field, rules]) => [field, filterOf(field, rules)])),
    countedFilters: [
      ...(parent === undefined ? [] : [parents]),
      ...filterable.map(([field]) => [...parents, field]),
      ...(declaration.countedFilters ?? []),
    ],
    ...mapping,
  };
}

function pageSizeOf({ name, maxPageSize = MAX_PAGE_SIZE }: { name: string; maxPageSize?: number }): number {
  if (Number.isInteger(maxPageSize) && maxPageSize >= 1 && maxPageSize <= MAX_PAGE_SIZE) return maxPageSize;
  throw new StartRefusedError(`maxPageSize of "${name}" must be a whole number from 1 to ${String(MAX_PAGE_SIZE)}.`);
}
