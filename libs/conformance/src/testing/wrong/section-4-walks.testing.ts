import { type ListFault } from '../lists/list-fault.testing.js';
import { type Listing } from '../lists/list-options.testing.js';
import { listing } from '../lists/listing.testing.js';
import { type WrongService } from './wrong-service.testing.js';

const byCursor = { styles: ['cursor'] } as const;

/** Walks by cursor, with the paging of the service. */
const cursorFaults: readonly [string, ListFault, Listing['paging']][] = [
  ['4.cursor.nulls', 'nulls lost ascending', 'keyset'],
  ['4.cursor.nulls', 'nulls lost descending', 'keyset'],
  ['4.cursor.nulls', 'nulls doubled', 'keyset'],
  ['4.cursor.nulls', 'nulls doubled descending', 'keyset'],
  ['4.cursor.nulls', 'nulls end the walk', 'keyset'],
  ['4.cursor.ties', 'ties lost', 'keyset'],
  ['4.cursor.ties', 'ties doubled', 'keyset'],
  ['4.cursor.ends', 'leads back', 'keyset'],
  ['4.cursor.ends', 'leads back when sorted', 'keyset'],
  ['4.cursor.ends', 'never ends', 'keyset'],
  ['4.cursor.ends', 'first page from the fourth on', 'snapshot'],
  ['4.cursor.each-once', 'fourth page again', 'keyset'],
  ['4.cursor.limit', 'ignores size', 'keyset'],
  ['4.cursor.limit', 'ignores size when sorted', 'snapshot'],
  ['4.cursor.limit', 'one more than the size', 'snapshot'],
  ['4.cursor.each-once', 'second page late', 'keyset'],
  ['4.cursor.position', 'second page early', 'keyset'],
  ['4.list.holds-items', 'last row lost', 'snapshot'],
  ['4.sort.price-cursor', 'sorts as text', 'snapshot'],
  ['4.filter.color-cursor', 'filters by prefix', 'snapshot'],
  ['4.filter.color-cursor', 'ignores the filter', 'snapshot'],
  ['4.cursor.no-duplicates.deletes', 'repeats a row after a deletion', 'keyset'],
  ['4.cursor.no-skips.deletes', 'refuses a cursor whose row is gone', 'keyset'],
  ['4.cursor.no-duplicates.deletes', 'begins again if the row of the cursor is gone', 'keyset'],
  ['4.cursor.no-duplicates.by-price', 'lists repriced rows again', 'snapshot'],
];

const offsetFaults: readonly [string, ListFault][] = [
  ['4.offset.nulls', 'nulls lost ascending'],
  ['4.offset.nulls', 'nulls lost descending'],
  ['4.offset.nulls', 'sorts nulls by chance'],
  ['4.offset.ties', 'sorts ties by chance'],
  ['4.offset.each-once', 'first page from the fourth on'],
  ['4.offset.each-once', 'fourth page again'],
  ['4.offset.per-page', 'ignores size'],
  ['4.offset.per-page', 'ignores size when sorted'],
  ['4.offset.per-page', 'one more than the size'],
  ['4.offset.each-once', 'second page late'],
  ['4.offset.page', 'second page early'],
  ['4.list.holds-items', 'last row lost'],
  ['4.sort.price-offset', 'sorts as text'],
  ['4.sort.price-offset', 'sorts each page'],
  ['4.filter.color-offset', 'filters the first page only'],
  ['4.filter.color-offset', 'filters by prefix'],
  ['4.filter.color-offset', 'ignores the filter'],
  ['4.filter.color-offset', 'total without filter'],
  ['4.offset.total', 'total of the page'],
];

export const walks: readonly WrongService[] = [
  ...cursorFaults.map(([fails, fault, paging]) => ({
    fails,
    what: `walks by cursor, and ${fault}`,
    offers: byCursor,
    make: () => listing({ paging, fault }),
  })),
  ...(['oldest', 'newest', 'uuid'] as const).map((order) => ({
    fails: '4.cursor.no-skips.by-price',
    what: `continues after a price that changes, in the order ${order}`,
    offers: byCursor,
    make: () => listing({ paging: 'keyset', order }),
  })),
  ...(['changed last', 'changed first'] as const).map((order) => ({
    fails: order === 'changed last' ? '4.cursor.no-duplicates.updates' : '4.cursor.no-skips.updates',
    what: `walks in the order of changes, ${order}`,
    offers: byCursor,
    make: () => listing({ paging: 'keyset', order, refusesSort: true }),
  })),
  ...offsetFaults.map(([fails, fault]) => ({
    fails,
    what: `pages by number, and ${fault}`,
    offers: { styles: ['offset'] } as const,
    make: () => listing({ paging: 'offset', fault }),
  })),
];
