import { type CheckContext } from '../context.js';
import { type Exchange } from '../service/exchange.js';
import { idOf } from '../pages/rows.js';
import { timesOf, walkByCursor } from '../pages/walk.js';
import { type OwnItem } from './own-items.js';
import { rowsToWalk } from './quiet-tally.js';
import { smallPageSize } from './whole-list.js';

/** What other clients do while a walk goes on. */
export type Change = 'inserts' | 'deletes' | 'updates';

/** What became of the rows that were there from the first page to the last. */
export interface ChangedWalk {
  readonly lastPage: Exchange | undefined;
  readonly pages: number;
  /** Rows that stayed during the whole walk. */
  readonly stayed: number;
  readonly skipped: number;
  /** Rows listed twice, the inserted and deleted ones included. */
  readonly doubled: number;
}

const highest = 999;
/** A list in the order of creation grows at its end: without a limit, the walk would follow the inserted rows. */
const maxInserts = 9;

/** A walk over the run's own rows; after each page the others insert, delete or reprice, before and behind it. */
export async function walkUnderChange(context: CheckContext, change: Change, sort?: string): Promise<ChangedWalk> {
  const { service, items, found } = context;
  const color = found.colorsAreOwn ? context.word('w').replaceAll('-', '').slice(0, 24) : undefined;
  const fields = (price: number): Record<string, unknown> => ({
    ...(color === undefined ? {} : { [found.filterField]: color }),
    ...(found.has('price') ? { [found.sortField]: found.sortValue(price) } : {}),
  });
  const own: OwnItem[] = [];
  // Three rows cost the same, so that some of them meet at the border of two pages.
  for (let row = 0; row < rowsToWalk; row++) own.push(await items.create(fields(100 + 10 * Math.floor(row / 3))));
  const inserted: OwnItem[] = [];
  const deleted = new Set<string>();

  const changes: Record<Change, (listed: OwnItem[], ahead: OwnItem[]) => Promise<void>> = {
    async inserts() {
      for (const price of [1, highest]) {
        if (inserted.length < maxInserts) inserted.push(await items.create(fields(price)));
      }
    },
    async deletes(listed, ahead) {
      // The last row that was listed is the one that a cursor may point to.
      const gone = [...listed.slice(-1), ...ahead.slice(-1)];
      for (const item of gone) {
        deleted.add(item.id);
        await items.delete(item);
      }
    },
    async updates(listed, ahead) {
      for (const item of listed.slice(-1)) await items.replace(item, fields(highest));
      for (const item of ahead.slice(-1)) await items.replace(item, fields(1));
    },
  };
  const size = color === undefined ? await smallPageSize(context) : 2;
  const query = { [found.filterField]: color, sort, limit: size };
  // Before anything changes, a walk in larger pages shows which row is the last one.
  const before = await walkByCursor(service, { ...query, limit: found.limitSize });
  const last = idOf(before.rows.at(-1));
  const walk = await walkByCursor(service, query, {
    change: async (soFar) => {
      const there = own.filter(({ id }) => !deleted.has(id));
      const listed = soFar.flatMap((row) => there.find(({ id }) => id === idOf(row)) ?? []);
      const ahead = there.filter((item) => !listed.includes(item));
      // Before the walk has come to its own rows, there is nothing to tell.
      if (listed.length > 0) await changes[change](listed, ahead);
    },
    isOver: (soFar) => change === 'inserts' && soFar.some((row) => idOf(row) === last),
  });
  const stayed = own.filter(({ id }) => !deleted.has(id));
  return {
    lastPage: walk.pages.at(-1),
    pages: walk.pages.length,
    stayed: stayed.length,
    skipped: walk.isComplete ? stayed.filter(({ id }) => timesOf(walk, id) === 0).length : 0,
    doubled: [...own, ...inserted].filter(({ id }) => timesOf(walk, id) > 1).length,
  };
}
