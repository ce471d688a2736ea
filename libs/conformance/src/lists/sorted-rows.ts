import { type CheckContext } from '../check.js';
import { type Value } from '../discovery/findings.js';
import { idOf, type Style, walkBy } from '../pages/walk.js';
import { fieldsOf } from '../service/exchange.js';
import { ifApplicable, NotApplicable } from '../verdict.js';
import { type OwnItem } from './own-items.js';
import { smallPageSize } from './whole-list.js';

/** `ties`: some rows have equal sort keys; `nulls`: some have null. */
export type Keys = 'ties' | 'nulls';

export interface SortedRows {
  readonly own: readonly OwnItem[];
  /** Query that selects only the rows in `own`; empty if the service has no such filter. */
  readonly filter: Readonly<Record<string, string>>;
  /** Page size if the list includes other rows; undefined if `filter` excludes them. */
  readonly pageSize: number | undefined;
  /** Accepted values of `sort`: `price`, and `-price` if it reverses the order. */
  readonly sorts: readonly string[];
}

/** A sortable field. `valueOf` converts numbers to values that sort in the same order. */
interface SortField {
  readonly field: string;
  readonly valueOf: (number: number) => Value;
}

/** Numbers for the sort values of new rows, deliberately unsorted. Null: the row has no value. */
const values: Readonly<Record<Keys, readonly (number | null)[]>> = {
  ties: [30, 20, 40, 20, 40, 30, 30, 40, 20],
  nulls: [null, 30, null, null, 20, null, null, 40, null],
};

/** Creates rows for each field by which lists of this paging style can be sorted. */
export async function sortedRows(context: CheckContext, style: Style, keys: Keys): Promise<readonly SortedRows[]> {
  const sets: SortedRows[] = [];
  for (const one of sortFields(context)) {
    const sorts = await acceptedSorts(context, style, one);
    const rows = sorts.length === 0 ? undefined : await rowsOnce(context, one, keys);
    if (rows === undefined) continue;
    sets.push({
      ...rows,
      sorts,
      pageSize: Object.keys(rows.filter).length > 0 ? undefined : await smallPageSize(context, 15),
    });
  }
  return sets;
}

function sortFields({ found, label }: CheckContext): readonly SortField[] {
  const text = (prefix: string): SortField['valueOf'] => {
    const begin = label(prefix);
    return (number) => `${begin}${number}`;
  };
  const fields: SortField[] = [
    ...(found.has('price') ? [{ field: found.sortField, valueOf: found.sortValue }] : []),
    ...(found.has('name.text') ? [{ field: 'name', valueOf: text('k') }] : []),
    ...(found.colorsAreOwn ? [{ field: found.filterField, valueOf: text('k') }] : []),
  ];
  return fields.filter(({ field }, index) => fields.findIndex((other) => other.field === field) === index);
}

/** Lists rows without nulls, in the largest pages, to detect the supported sort directions. */
function acceptedSorts(context: CheckContext, style: Style, one: SortField): Promise<readonly string[]> {
  return context.once(`sorts by ${one.field} ${style}`, async () => {
    const rows = await rowsOnce(context, one, 'ties');
    if (rows === undefined) return [];
    const ascending = await directionOf(context, style, rows, one.field);
    if (ascending === 0) return [];
    const descending = await directionOf(context, style, rows, `-${one.field}`);
    return descending === -ascending ? [one.field, `-${one.field}`] : [one.field];
  });
}

type OwnRows = Pick<SortedRows, 'own' | 'filter'> & { readonly numbers: ReadonlyMap<string, number | null> };

/** Returns undefined if the service refuses the rows. */
function rowsOnce(context: CheckContext, one: SortField, keys: Keys): Promise<OwnRows | undefined> {
  return context.once(`rows by ${one.field} ${keys}`, () => ifApplicable(createRows(context, one, keys)));
}

async function createRows(context: CheckContext, { field, valueOf }: SortField, keys: Keys): Promise<OwnRows> {
  const { found, items, label } = context;
  const isNarrow = found.colorsAreOwn && field !== found.filterField;
  const filter = isNarrow ? { [found.filterField]: label('q') } : {};
  const own: OwnItem[] = [];
  const numbers = new Map<string, number | null>();
  for (const number of values[keys]) {
    const create =
      number === null ? createNull(context, field, filter) : items.create({ ...filter, [field]: valueOf(number) });
    const item = await create;
    own.push(item);
    numbers.set(item.id, number);
  }
  return { own, filter, numbers };
}

/** @throws {NotApplicable} The field always has a value. */
async function createNull({ items, service }: CheckContext, field: string, filter: object): Promise<OwnItem> {
  if (field === 'name') throw new NotApplicable('every item has a name');
  const withNull = await ifApplicable(items.create({ ...filter, [field]: null }));
  const item = withNull ?? (await items.create({ ...filter, [field]: undefined }));
  const shown = await service.get(item.path);
  if ((fieldsOf(shown.json)[field] ?? null) !== null) throw new NotApplicable('null becomes another value');
  return item;
}

/** Returns 1 for ascending, -1 for descending, 0 for another or a refused order. */
async function directionOf(context: CheckContext, style: Style, rows: OwnRows, sort: string): Promise<-1 | 0 | 1> {
  const { service, found } = context;
  const walk = await ifApplicable(walkBy(style, service, { ...rows.filter, sort }, found.pageSizes[style]));
  const shown = walk?.rows.flatMap((row) => rows.numbers.get(idOf(row)) ?? []) ?? [];
  const steps = shown.slice(1).map((number, index) => number - (shown[index] ?? number));
  if (!steps.some((step) => step !== 0)) return 0;
  if (steps.every((step) => step >= 0)) return 1;
  return steps.every((step) => step <= 0) ? -1 : 0;
}
