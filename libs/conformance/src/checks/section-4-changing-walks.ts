import { type CheckContext } from '../context.js';
import { type Change, type ChangedWalk, walkUnderChange } from '../lists/changing-walk.js';
import { Unmet } from '../verdict.js';
import { type Draft, type Drafts, specified } from './specified.js';

const promise = 'rows when data changes during the walk';

type Fault = 'skipped' | 'doubled';

type Order = 'by default' | 'sorted';

function both(name: string, meanwhile: string, order: Order, changes: readonly Change[]): Drafts {
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
  const order = sort === undefined ? 'in the default order' : `by ${service.words.theirs(sort)}`;
  const came = `${walk.skipped} skipped, ${walk.doubled} doubled, of ${walk.stayed} rows on ${walk.pages} pages ${order}`;
  throw new Unmet(walk.lastPage, `no row ${fault} during ${change}`, came);
}

/** SPEC §4: the promise of cursor paging, under each kind of change. */
export const section4ChangingWalks = specified([], {
  ...both('inserts', 'others insert', 'by default', ['inserts']),
  ...both('deletes', 'others delete', 'by default', ['deletes']),
  ...both('updates', 'others replace', 'by default', ['updates']),
  ...both('by-price', 'others insert, delete and reprice while it walks by price', 'sorted', [
    'updates',
    'inserts',
    'deletes',
  ]),
});
