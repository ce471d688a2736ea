import type { Style } from '../pages/walk.js';
import { type CheckContext } from '../context.js';
import { NotApplicable, unmet } from '../verdict.js';
import { walkQuietly } from '../lists/quiet-walks.js';
import { type Keys, type SortedRows, sortedRows } from '../lists/sorted-rows.js';
import { type Draft, specified } from './specified.js';

const sentences: Readonly<Record<Keys, string>> = {
  ties: 'items that are equal in the order are on the pages once each',
  nulls: 'items without a value to sort by are on the pages once each',
};
/** These sizes put a page border before, between and behind the rows in question. */
const sizes: Readonly<Record<Keys, readonly number[]>> = { ties: [2, 1], nulls: [3, 2] };

/** SPEC §4: sorted walks while nothing changes, over rows whose sort keys are equal or null. */
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
  const field = context.service.words.theirs(sort.replace('-', ''));
  const order = `sorted by ${sort.startsWith('-') ? '-' : ''}${field}`;
  const came = `${walk.lost.length} lost, ${walk.doubled.length} doubled, of ${own.length} rows on ${walk.pages} pages ${order}`;
  throw unmet(walk.lastPage, 'each row once', came);
}
