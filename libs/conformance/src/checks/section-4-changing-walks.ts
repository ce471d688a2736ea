import { type Check } from '../check.js';
import { type CheckContext } from '../context.js';
import { type Change, type ChangedWalk, walkUnderChange } from '../lists/changing-walk.js';
import { Unmet } from '../verdict.js';

const promise = 'rows when data changes during the walk';

type Fault = 'skipped' | 'doubled';

function check(id: string, sentence: string, fault: Fault, walks: readonly [Change, string?][]): Check {
  const ordered = walks.some(([, sort]) => sort !== undefined);
  return {
    id,
    section: '§4',
    source: 'specification',
    level: 'must',
    sentence,
    needs: ['items.write', 'cursor', ...(ordered ? (['price'] as const) : [])],
    run: async (context) => {
      for (const [change, sort] of walks) judge(await walkOnce(context, change, sort), fault, change, sort);
    },
  };
}

/** A walk that tells of skipped and of doubled rows at once. */
function walkOnce(context: CheckContext, change: Change, sort?: string): Promise<ChangedWalk> {
  return context.once(`walk ${change} ${sort ?? ''}`, () => walkUnderChange(context, change, sort));
}

function judge(walk: ChangedWalk, fault: Fault, change: Change, sort: string | undefined): void {
  if (walk.lastPage === undefined || walk[fault] === 0) return;
  const order = sort === undefined ? 'in the default order' : `by ${sort}`;
  const came = `${walk.skipped} skipped, ${walk.doubled} doubled, of ${walk.stayed} rows on ${walk.pages} pages ${order}`;
  throw new Unmet(walk.lastPage, `no row ${fault} during ${change}`, came);
}

/** SPEC §4: the promise of cursor paging, under each kind of change. */
export const section4ChangingWalks: readonly Check[] = [
  check('4.cursor.no-duplicates.inserts', `Cursor paging never duplicates ${promise}: others insert.`, 'doubled', [
    ['inserts'],
  ]),
  check('4.cursor.no-skips.inserts', `Cursor paging never skips ${promise}: others insert.`, 'skipped', [['inserts']]),
  check('4.cursor.no-duplicates.deletes', `Cursor paging never duplicates ${promise}: others delete.`, 'doubled', [
    ['deletes'],
  ]),
  check('4.cursor.no-skips.deletes', `Cursor paging never skips ${promise}: others delete.`, 'skipped', [['deletes']]),
  check('4.cursor.no-duplicates.updates', `Cursor paging never duplicates ${promise}: others replace.`, 'doubled', [
    ['updates'],
  ]),
  check('4.cursor.no-skips.updates', `Cursor paging never skips ${promise}: others replace.`, 'skipped', [['updates']]),
  check(
    '4.cursor.no-duplicates.by-price',
    `Cursor paging never duplicates ${promise}: others insert, delete and reprice while it walks by price.`,
    'doubled',
    [
      ['updates', 'price'],
      ['inserts', 'price'],
      ['deletes', 'price'],
    ],
  ),
  check(
    '4.cursor.no-skips.by-price',
    `Cursor paging never skips ${promise}: others insert, delete and reprice while it walks by price.`,
    'skipped',
    [
      ['updates', 'price'],
      ['inserts', 'price'],
      ['deletes', 'price'],
    ],
  ),
];
