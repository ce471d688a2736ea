import { MAX_PAGE_SIZE } from '@items/conventions';
import { definitionOf, type DtoClass, type FieldDefinition } from '@items/fields';
import { booleanFilter, oneOf, textFilter, timeRange, type FilterRule } from '@items/paging';

import type { CollectionAudit, CollectionEvents } from './change-recorder.js';
import type { CollectionDefinition, Fields, Identified, Stamps } from './collection.js';
import { rowsAtOnce } from './largest-member.js';
import { keyBytesOf } from './cursor-room.js';
import { rangeOf } from './field-ranges.js';
import { idFilter } from './id-filter.js';
import { rowMapping } from './row-mapping.js';

/** What a collection says about itself beside its fields, which its class says. */
export interface CollectionDeclaration<Input extends object, Resource extends Identified, Hidden> {
  /** The table, and the list member of the answers: `books`. */
  readonly name: string;
  /** One member, in words: `book`. */
  readonly singular: string;
  /**
   * The class whose decorators say the fields in the order in which they are shown: which may be null, which the service
   * sets (`@ReadOnly()`), which lists are sorted (`@Sortable()`) and filtered by (`@Filterable()`). POST accepts it.
   */
  readonly dto: DtoClass<Input>;
  /** The times that lists may be sorted by; both where it is left out. */
  readonly sortableTimes?: readonly ('created_at' | 'updated_at')[];
  /** The column that the path of a nested collection says, such as `user_id`. */
  readonly parent?: string;
  /** Most rows a page: a whole number from 1 to 100, less than 100 for large members. 100 where it is left out. */
  readonly maxPageSize?: number;
  /** Sets of filters whose totals are kept, beside that of each filter by itself. */
  readonly counted?: readonly (readonly string[])[];
  /** What a new member has where nothing is said; else null. */
  readonly defaults?: Fields<Resource, Hidden>;
  /** Columns that are no fields, or are not shown as they stand; they may be null. */
  readonly hidden?: readonly (keyof Hidden & string)[];
  /** Fields that are made of the row of a member: they have no column of their own. */
  readonly derived?: { readonly [Field in keyof Resource]?: (row: Identified & Hidden) => Resource[Field] };
  /** The columns of fields that cannot be called as they are, since SQL means something else by it. */
  readonly columnNames?: { readonly [Field in keyof Resource]?: string };
  /**
   * Fields of `dto` that are filled at each write: `true` or `false`, by a pure function of the other fields. Their columns are
   * null in rows that are older than them, until `fillComputed()`.
   */
  readonly computed?: { readonly [Field in keyof Resource]?: (member: Input) => boolean };
  /** Whether members never change, and so show no `updated_at`. */
  readonly unchanging?: boolean;
  /** It is never read from a standby: for what grants or refuses access. */
  readonly onlyFromPrimary?: boolean;
  /** Its writes make events, of this subject: `book`, for `book.created`. None are made where it is left out. */
  readonly events?: string | CollectionEvents<Resource>;
  /** How its changes are audited; as its events are named where it is left out. */
  readonly audit?: CollectionAudit;
}

/** A member of a collection as it is shown. */
export type Member<Input> = Input & Stamps;

/**
 * A collection whose columns follow from its fields.
 * @example
 * class BookDto {
 *   \@Sortable()
 *   \@Text({ max: 200 })
 *   title!: string;
 * }
 * export const books = defineCollection({ name: 'books', singular: 'book', dto: BookDto });
 * @throws {Error} a field says that lists are filtered by it, and none can be; `maxPageSize` is not 1 to 100.
 */
export function defineCollection<
  Input extends object,
  Resource extends Identified = Member<Input>,
  Hidden extends object = object,
>(declaration: CollectionDeclaration<Input, Resource, Hidden>): CollectionDefinition<Resource, Input, Hidden> {
  const { name, singular, dto, parent, sortableTimes = ['created_at', 'updated_at'], unchanging = false } = declaration;
  const maxPageSize = pageSizeOf(declaration);
  const fields = [...definitionOf(dto).fields].filter(([, { schema }]) => schema['writeOnly'] !== true);
  const filterable = fields.filter(([, field]) => field.filterable);
  const parents = parent === undefined ? [] : [parent];
  const mapping = rowMapping(fields, {
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
    unchanging,
    maxPageSize,
    rowsAtOnce: rowsAtOnce(fields.map(([, field]) => field)),
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
    counted: [
      ...(parent === undefined ? [] : [parents]),
      ...filterable.map(([field]) => [...parents, field]),
      ...(declaration.counted ?? []),
    ],
    ...(mapping as Pick<
      CollectionDefinition<Resource, Input, Hidden>,
      | 'columns'
      | 'representation'
      | 'present'
      | 'toJson'
      | 'valuesToJson'
      | 'formerToJson'
      | 'changedFields'
      | 'read'
      | 'store'
      | 'storeNew'
      | 'computed'
    >),
  };
}

function pageSizeOf({ name, maxPageSize = MAX_PAGE_SIZE }: { name: string; maxPageSize?: number }): number {
  if (Number.isInteger(maxPageSize) && maxPageSize >= 1 && maxPageSize <= MAX_PAGE_SIZE) return maxPageSize;
  throw new Error(`maxPageSize of "${name}" must be a whole number from 1 to ${String(MAX_PAGE_SIZE)}.`);
}

function filterOf(name: string, { schema }: FieldDefinition): FilterRule {
  const { type, enum: words, format, maxLength } = schema;
  if (type === 'boolean') return booleanFilter;
  if (Array.isArray(words)) return oneOf(words as readonly string[]);
  if (format === 'uuid') return idFilter;
  if (type === 'string' && typeof maxLength === 'number') return textFilter({ max: maxLength });
  throw new Error(
    `@Filterable() on "${name}": a filter needs a boolean, an enumeration, or a text with a maximum length.`,
  );
}
