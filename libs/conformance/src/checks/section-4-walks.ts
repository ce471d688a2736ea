import { type CheckContext } from '../check.js';
import { type Change, type ChangedWalk, walkUnderChange } from '../lists/changing-walk.js';
import { walkQuietly } from '../lists/quiet-walks.js';
import { type Keys, type SortedRows, sortedRows } from '../lists/sorted-rows.js';
import type { Style } from '../pages/walk.js';
import { NotApplicable, Unmet } from '../verdict.js';
import { type Draft, type Drafts, specified } from './specified.js';

const sentences: Readonly<Record<Keys, string>> = {
  ties: 'items that are equal in the order are on the pages once each',
  nulls: 'items without a value to sort by are on the pages once each',
};
/** Page sizes that put a page border before, between and after the rows with equal or null keys. */
const sizes: Readonly<Record<Keys, readonly number[]>> = { ties: [2, 1], nulls: [3, 2] };

/** Seed specification §4: sorted walks while nothing changes, over rows whose sort keys are equal or null. */
export const section4EqualKeys = specified([], {
  '4.offset.ties': eachOnce('offset', 'ties'),
  '4.offset.nulls': eachOnce('offset', 'nulls'),
  '4.cursor.ties': eachOnce('cursor', 'ties'),
  '4.cursor.nulls': eachOnce('cursor', 'nulls'),
});

function eachOnce(style: Style, keys: Keys): Draft {
  return {
    sentence: `Clients must page through lists: ${sentences[keys]} (${style} paging).`,
    needs: ['items.write', style],
    run: (context) => judgeSortedWalks(context, style, keys),
  };
}

async function judgeSortedWalks(context: CheckContext, style: Style, keys: Keys): Promise<void> {
  const sets = await sortedRows(context, style, keys);
  if (sets.length === 0) {
    const what = keys === 'nulls' ? 'accepts null' : 'is known';
    throw new NotApplicable(`no field that lists can be sorted by ${what}`);
  }
  for (const rows of sets) {
    const wanted = rows.pageSize === undefined ? sizes[keys] : [rows.pageSize];
    for (const sort of rows.sorts) {
      for (const size of wanted) await judgeWalk(context, rows, { style, sort, size });
    }
  }
}

async function judgeWalk(
  context: CheckContext,
  { own, filter }: SortedRows,
  { style, sort, size }: { readonly style: Style; readonly sort: string; readonly size: number },
): Promise<void> {
  const walk = await walkQuietly(context, own, { style, parameters: { ...filter, sort }, size });
  const wrong = walk.lost.length + walk.doubled.length;
  if (wrong === 0 || walk.lastPage === undefined) return;
  const field = context.service.translation.fields.theirs(sort.replace('-', ''));
  const order = `sorted by ${sort.startsWith('-') ? '-' : ''}${field}`;
  const actual = `${walk.lost.length} lost, ${walk.doubled.length} doubled, of ${own.length} rows on ${walk.pages} pages ${order}`;
  throw new Unmet(walk.lastPage, 'each row once', actual);
}

const promise = 'rows when data changes during the walk';

type Fault = 'skipped' | 'doubled';

type Order = 'by default' | 'sorted';

function skipsAndDuplicates(name: string, meanwhile: string, order: Order, changes: readonly Change[]): Drafts {
  const draft = (verb: string, fault: Fault): Draft => ({
    sentence: `Cursor paging never ${verb} ${promise}: ${meanwhile}.`,
    needs: ['items.write', 'cursor', ...(order === 'sorted' ? (['price'] as const) : [])],
    run: async (context) => {
      const sort = order === 'sorted' ? context.found.sortField : undefined;
      for (const change of changes) judge(context, await walkOnce(context, change, sort), { fault, change, sort });
    },
  });
  return {
    [`4.cursor.no-duplicates.${name}`]: draft('duplicates', 'doubled'),
    [`4.cursor.no-skips.${name}`]: draft('skips', 'skipped'),
  };
}

function walkOnce(context: CheckContext, change: Change, sort?: string): Promise<ChangedWalk> {
  return context.once(`walk ${change} ${sort ?? ''}`, () => walkUnderChange(context, change, sort));
}

interface Asked {
  readonly fault: Fault;
  readonly change: Change;
  readonly sort: string | undefined;
}

function judge({ service }: CheckContext, walk: ChangedWalk, { fault, change, sort }: Asked): void {
  if (walk.lastPage === undefined || walk[fault] === 0) return;
  const order = sort === undefined ? 'in the default order' : `by ${service.translation.fields.theirs(sort)}`;
  const actual = `${walk.skipped} skipped, ${walk.doubled} doubled, of ${walk.stayed} rows on ${walk.pages} pages ${order}`;
  throw new Unmet(walk.lastPage, `no row ${fault} during ${change}`, actual);
}

/** Seed specification §4: cursor paging neither skips nor repeats a row during any kind of write. */
export const section4ChangingWalks = specified([], {
  ...skipsAndDuplicates('inserts', 'others insert', 'by default', ['inserts']),
  ...skipsAndDuplicates('deletes', 'others delete', 'by default', ['deletes']),
  ...skipsAndDuplicates('updates', 'others replace', 'by default', ['updates']),
  ...skipsAndDuplicates('by-price', 'others insert, delete and reprice while it walks by price', 'sorted', [
    'updates',
    'inserts',
    'deletes',
  ]),
});
