import type { Collection, Filter } from '../document/model.js';

export type ListQuery = Readonly<Record<string, string>>;

/** Reads the sort and the filters of the list, and ignores other parameters. */
export function readQuery(collection: Collection, query: URLSearchParams): ListQuery {
  const names = ['sort', ...collection.filters.map(({ name }) => name)];
  const given = names.map((name): [string, string] => [name, query.get(name) ?? '']);
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}

/** Default: newest first, if the list can be sorted by time. */
export function sortOf({ sorts }: Collection, query: ListQuery): string | undefined {
  const sort = query['sort'];
  if (sort !== undefined && sorts.includes(sort)) return sort;
  return ['-created_at', '-timestamp'].find((each) => sorts.includes(each));
}

/** Sorts by a field, or reverses its order. Removes ranges of other fields. */
export function toggleSort(collection: Collection, query: ListQuery, field: string): ListQuery {
  const sort = sortOf(collection, query) === field ? `-${field}` : field;
  return withoutOtherRanges(collection, { ...query, sort }, field);
}

/** Sets a filter. A range also sorts the list by its field. */
export function setFilter(collection: Collection, query: ListQuery, filter: Filter, value: string): ListQuery {
  const { [filter.name]: _, ...rest } = query;
  if (value === '') return rest;
  const next = { ...rest, [filter.name]: value };
  if (filter.kind === 'equal') return next;
  const isSorted = fieldOf(sortOf(collection, query)) === filter.field;
  const ranged = isSorted || !collection.sorts.includes(filter.field) ? next : { ...next, sort: filter.field };
  return withoutOtherRanges(collection, ranged, filter.field);
}

/** Whether a filter is a range. Then the service returns no total. */
export function hasRange(collection: Collection, query: ListQuery): boolean {
  return collection.filters.some(({ name, kind }) => kind !== 'equal' && query[name] !== undefined);
}

export function withQuery(path: string, query: ListQuery): string {
  const search = String(new URLSearchParams(query));
  return search === '' ? path : `${path}?${search}`;
}

function fieldOf(sort = ''): string {
  return sort.replace(/^-/, '');
}

function withoutOtherRanges({ filters }: Collection, query: ListQuery, field: string): ListQuery {
  const others = filters.filter((filter) => filter.kind !== 'equal' && filter.field !== field).map(({ name }) => name);
  return Object.fromEntries(Object.entries(query).filter(([name]) => !others.includes(name)));
}
