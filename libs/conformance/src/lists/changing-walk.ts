import { type CheckContext } from '../check.js';
import { type Exchange } from '../service/exchange.js';
import { idOf, timesOf, walkByCursor } from '../pages/walk.js';
import { type OwnItem } from './own-items.js';
import { rowsToWalk } from './quiet-tally.js';
import { smallPageSize } from './whole-list.js';

/** Kind of writes that this run makes between the pages of a walk. */
export type Change = 'inserts' | 'deletes' | 'updates';

/** Counts of a walk during writes. `stayed` and `skipped` cover the run's rows that existed throughout. */
export interface ChangedWalk {
  readonly lastPage: Exchange | undefined;
  readonly pages: number;
  readonly stayed: number;
  readonly skipped: number;
  /** Rows listed twice, including inserted and deleted ones. */
  readonly doubled: number;
}

const highest = 999;
/** A list in creation order grows at its end: without a limit, the walk would follow the inserted rows. */
const maxInserts = 9;

/** Walks over the run's own rows. After each page, inserts, deletes or reprices rows before and after the position. */
export async function walkUnderChange(context: CheckContext, change: Change, sort?: string): Promise<ChangedWalk> {
  const { service, items, found } = context;
  const color = found.colorsAreOwn ? context.label('w') : undefined;
  const fields = (price: number): Record<string, unknown> => ({
    ...(color === undefined ? {} : { [found.filterField]: color }),
    ...(found.has('price') ? { [found.sortField]: found.sortValue(price) } : {}),
  });
  const own: OwnItem[] = [];
  // Each price has three rows, so that page borders fall between rows with equal prices.
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
      // Also deletes the last listed row, because a cursor may point to it.
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
  // Find the last row before any write: a walk with inserts ends there.
  const before = await walkByCursor(service, { ...query, limit: found.pageSizes.cursor });
  const last = idOf(before.rows.at(-1));
  const walk = await walkByCursor(service, query, {
    change: async (soFar) => {
      const remaining = own.filter(({ id }) => !deleted.has(id));
      const listed = soFar.flatMap((row) => remaining.find(({ id }) => id === idOf(row)) ?? []);
      const ahead = remaining.filter((item) => !listed.includes(item));
      // Change nothing before the walk has reached rows of the run.
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
