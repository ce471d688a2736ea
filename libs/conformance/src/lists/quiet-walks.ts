import { type CheckContext } from '../check.js';
import { type Exchange } from '../service/exchange.js';
import { idOf, type Style, timesOf, walkBy } from '../pages/walk.js';
import { type OwnItem } from './own-items.js';

/** A walk over rows of the run without concurrent writes. */
export interface QuietWalk {
  readonly lost: readonly OwnItem[];
  readonly doubled: readonly OwnItem[];
  readonly lastPage: Exchange | undefined;
  readonly pages: number;
}

/** A row that a walk in small pages omitted or repeated. Any client may have created the row. */
export interface WrongRow {
  readonly id: string;
  readonly times: 'never' | 'twice or more';
  readonly lastPage: Exchange;
  readonly pages: number;
}

/** Finds a row that small pages repeat, or an existing row that large pages list and small pages omit. */
export async function wrongInSmallPages(
  { service, found }: CheckContext,
  style: Style,
  size: number,
): Promise<WrongRow | undefined> {
  const large = await walkBy(style, service, {}, found.pageSizes[style]);
  const small = await walkBy(style, service, {}, size);
  const lastPage = small.pages.at(-1);
  if (!large.isComplete || !small.isComplete || lastPage === undefined) return undefined;
  const ids = small.rows.map(idOf).filter((id) => id !== '');
  const doubled = ids.find((id, index) => ids.indexOf(id) !== index);
  const wrong = { lastPage, pages: small.pages.length };
  if (doubled !== undefined) return { id: doubled, times: 'twice or more', ...wrong };
  for (const id of new Set(large.rows.map(idOf))) {
    if (ids.includes(id)) continue;
    const shown = await service.get(`/items/${encodeURIComponent(id)}`);
    if (shown.status === 200) return { id, times: 'never', ...wrong };
  }
  return undefined;
}

export interface QuietQuery {
  readonly style: Style;
  readonly parameters: Readonly<Record<string, string | undefined>>;
  readonly size: number;
}

/** Makes up to three attempts with offset paging, because writes of other clients may move rows. */
export async function walkQuietly(
  { service, quiet }: CheckContext,
  own: readonly OwnItem[],
  { style, parameters, size }: QuietQuery,
): Promise<QuietWalk> {
  for (let attempt = 1; ; attempt++) {
    const walk = await walkBy(style, service, parameters, size);
    const missing = own.filter(({ id }) => timesOf(walk, id) === 0);
    const lost = walk.isComplete ? missing : [];
    const doubled = own.filter(({ id }) => timesOf(walk, id) > 1);
    const isRight = lost.length === 0 && doubled.length === 0;
    if (style === 'cursor') quiet.note(own.length - missing.length);
    if (style === 'cursor' || isRight || attempt === 3) {
      return { lost, doubled, lastPage: walk.pages.at(-1), pages: walk.pages.length };
    }
  }
}
