import { type CheckContext } from '../context.js';
import { type Exchange } from '../service/exchange.js';
import { type OwnItem } from './own-items.js';
import { idOf } from '../pages/rows.js';
import { walkByCursor } from '../pages/walk.js';

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

const rowsToWalk = 9;
const highest = 999;

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
      inserted.push(await items.create(fields(1)), await items.create(fields(highest)));
    },
    async deletes(listed, ahead) {
      const gone = [...listed.slice(0, 1), ...ahead.slice(-1)];
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
  const query = { [found.filterField]: color, sort, limit: await limitFor(context, color) };
  const { rows, pages } = await walkByCursor(service, query, async (soFar) => {
    const ids = new Set(soFar.map(idOf));
    const there = own.filter(({ id }) => !deleted.has(id));
    const listed = there.filter(({ id }) => ids.has(id));
    // Before the walk has come to its own rows, there is nothing to tell.
    if (listed.length > 0)
      await changes[change](
        listed,
        there.filter(({ id }) => !ids.has(id)),
      );
  });
  const times = (id: string): number => rows.filter((row) => idOf(row) === id).length;
  const stayed = own.filter(({ id }) => !deleted.has(id));
  return {
    lastPage: pages.at(-1),
    pages: pages.length,
    stayed: stayed.length,
    skipped: stayed.filter(({ id }) => times(id) === 0).length,
    doubled: [...own, ...inserted].filter(({ id }) => times(id) > 1).length,
  };
}

/** Small enough that the own rows lie on several pages, large enough that a long list ends. */
async function limitFor({ service, found }: CheckContext, color: string | undefined): Promise<number> {
  if (color !== undefined) return 2;
  const { rows } = await walkByCursor(service, { limit: found.limitSize });
  return rows.length < 120 ? 2 : 4;
}
