import { hash } from 'node:crypto';
import type { ListFilter, ListRange, SortKey } from '@items/paging';
import type { Dialect } from '../schema/dialect.js';
import type { CollectionDefinition } from '../definition/collection.js';
import { haveRoom, TIME_KEY_BYTES } from '../definition/cursor-room.js';
import type { WalkAnnouncer } from './announce-walks.js';
import { OffsetPages } from './offset-page.js';
import { Ordering, compareText } from './ordering.js';
import { parentFilter, type ParentKeys } from '../definition/parent-keys.js';
import type { Totals } from './totals.js';
import { Walk, type WalkPlan } from './walk.js';

/** The default order. Generated ids contain the time of creation, so they sort the same. */
const CREATION: readonly SortKey[] = [{ field: 'created_at', descending: false }];

export interface ListedCollection extends Pick<
  CollectionDefinition<never, never>,
  'name' | 'parent' | 'columns' | 'keyBytes'
> {
  readonly dialect: Dialect;
  readonly totals: Totals;
  readonly announcer: WalkAnnouncer;
}

export interface ListKey {
  readonly path: string;
  readonly sort: readonly SortKey[];
  readonly filter: ListFilter;
  readonly range?: ListRange | undefined;
  readonly parent: ParentKeys;
}

export interface Pages {
  /** Cursor pagination. */
  readonly walk: Walk;
  /** Offset pagination. */
  readonly offset: OffsetPages;
}

export class ListPlan {
  readonly ordering: Ordering;
  /** Binds a cursor to the list. SPEC §4.1 */
  readonly fingerprint: string;
  /** Whether all possible values of the sort keys fit into a cursor. */
  readonly hasRoom: boolean;
  readonly isEmpty: boolean;
  /** Reads on the main thread. Returns undefined if this would take too long. */
  readonly light: Pages;
  private slowPages: Pages | undefined;
  private readonly plan: WalkPlan;

  constructor(
    private readonly collection: ListedCollection,
    readonly key: ListKey,
  ) {
    const { path, sort } = key;
    const { name: table, keyBytes } = collection;
    const parent = parentFilter(key.parent);
    // The first `parent` fixes the field order for the fingerprint. The second `parent` lets the path override the
    // query.
    const requestedFilter = { ...parent, ...key.filter, ...parent };
    const { filter, range, isEmpty } = narrowed(requestedFilter, key.range);
    // A filter with one value makes a sort by its field redundant.
    const free = sort.filter(({ field }) => filter[field]?.length !== 1);
    const keys = (free.length > 0 ? free : CREATION).map((each) => ({
      ...each,
      nullable: this.isNullable(each.field),
    }));
    const columns = collection.columns.map(({ name }) => name);
    const ordering = new Ordering(collection.dialect, keys, columns, range);
    const others = Object.keys(filter).filter((column) => column !== collection.parent && !(column in parent));
    const isIndexed = keys.length === 1 && others.length <= 1;
    this.ordering = ordering;
    this.fingerprint = fingerprintOf(path, sort, requestedFilter, key.range);
    this.hasRoom = haveRoom(keys.map(({ field }) => keyBytes[field] ?? TIME_KEY_BYTES));
    this.isEmpty = isEmpty;
    this.plan = { table, columns, filter, parent, ordering, isIndexed, isSlow: false };
    this.light = this.pagesOf(this.plan);
  }

  /** Reads in the background, if `light` returns undefined. */
  get slow(): Pages {
    return (this.slowPages ??= this.pagesOf({ ...this.plan, isSlow: true }));
  }

  private pagesOf(plan: WalkPlan): Pages {
    const { totals, announcer } = this.collection;
    return { walk: new Walk(plan, announcer), offset: new OffsetPages(plan, totals) };
  }

  private isNullable(field: string): boolean {
    return this.collection.columns.some(({ name, nullable }) => name === field && nullable);
  }
}

function fingerprintOf(
  path: string,
  sort: readonly SortKey[],
  filter: ListFilter,
  { min, max, below }: Partial<ListRange> = {},
): string {
  const keys = sort.map((key) => [key.field, key.descending]);
  // The bounds become texts, because JSON has no infinite numbers. A list without bounds hashes no range, so older
  // cursors stay valid.
  const bounds = [min, max, below].map((bound) => (bound === undefined ? null : String(bound)));
  const range = bounds.some((bound) => bound !== null) ? [bounds] : [];
  const terms = JSON.stringify([path, keys, Object.entries(filter), ...range]);
  return hash('sha256', terms, 'base64url').slice(0, 11);
}

interface NarrowedList {
  readonly filter: ListFilter;
  readonly range: ListRange | undefined;
  readonly isEmpty: boolean;
}

/** If filter and range apply to the same field, only the filter values within the range remain. */
function narrowed(filter: ListFilter, range: ListRange | undefined): NarrowedList {
  if (range === undefined) return { filter, range, isEmpty: false };
  const { field, min, max } = range;
  const values = filter[field];
  if (values === undefined) return { filter, range, isEmpty: min !== undefined && max !== undefined && min > max };
  const left = values.filter((value) => isWithin(value, range));
  return { filter: { ...filter, [field]: left }, range: undefined, isEmpty: left.length === 0 };
}

function isWithin(value: string | number, { min, max, below }: ListRange): boolean {
  return (
    (min === undefined || compare(value, min) >= 0) &&
    (max === undefined || compare(value, max) <= 0) &&
    (below === undefined || compare(value, below) < 0)
  );
}

function compare(a: string | number, b: string | number): number {
  return typeof a === 'string' ? compareText(a, String(b)) : a - Number(b);
}
