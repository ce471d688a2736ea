import { type Exchange, fieldsOf } from '../service/exchange.js';
import type { Service } from '../service/service.js';
import { NotApplicable, Unmet } from '../verdict.js';

export type Style = 'offset' | 'cursor';

export interface Walk {
  readonly pages: readonly Exchange[];
  readonly rows: readonly unknown[];
  /** True if the walk reached the last page, or `isOver` ended it. */
  readonly isComplete: boolean;
}

export interface BetweenPages {
  /** Called after each page but the last, with the rows so far. */
  readonly change?: (rows: readonly unknown[]) => Promise<void>;
  /** Returns true to end the walk after these rows. */
  readonly isOver?: (rows: readonly unknown[]) => boolean;
}

export type Parameters = Readonly<Record<string, string | number | undefined>>;

const maxPages = 400;
/** After this number of consecutive pages without a new row, the walk counts as endless. */
const maxPagesWithoutNewRows = 100;

/** Returns undefined on the last page, where the cursor is absent, null or empty. */
export function nextCursor(page: Exchange): string | undefined {
  const { next_cursor: next } = fieldsOf(page.json);
  if (typeof next === 'number') return String(next);
  return typeof next === 'string' && next !== '' ? next : undefined;
}

/**
 * Repeats the request with `cursor` until the last page (§4). A repeated cursor, or {@link maxPagesWithoutNewRows},
 * ends the walk, and the page is recorded in `service.endlessPages`.
 * @throws {Unmet} The first page fails with 5xx, or a later page is refused.
 * @throws {NotApplicable} The first page is refused with another status.
 */
export async function walkByCursor(
  service: Service,
  parameters: Parameters,
  { change, isOver }: BetweenPages = {},
): Promise<Walk> {
  const pages: Exchange[] = [];
  const rows: unknown[] = [];
  const used = new Set<string>();
  const seen = new Set<string>();
  let lastPageWithNewRow = 0;
  for (let cursor: string | undefined; ;) {
    const page = await service.get(`/items${queryOf({ ...parameters, cursor })}`);
    if (page.status !== 200) throw refused(service, page, pages.length);
    pages.push(page);
    rows.push(...rowsOf(page));
    if (rowsOf(page).length > Number(parameters['limit'])) service.oversized.cursor.push(page);
    if (idsOf(page).some((id) => !seen.has(id))) lastPageWithNewRow = pages.length;
    for (const id of idsOf(page)) seen.add(id);
    cursor = nextCursor(page);
    if (cursor === undefined || isOver?.(rows)) return { pages, rows, isComplete: true };
    if (used.has(cursor) || pages.length - lastPageWithNewRow >= maxPagesWithoutNewRows) {
      service.endlessPages.push(page);
      return { pages, rows, isComplete: false };
    }
    if (pages.length === maxPages) return { pages, rows, isComplete: false };
    used.add(cursor);
    await change?.(rows);
  }
}

function refused({ translation }: Service, page: Exchange, pagesBefore: number): Error {
  if (pagesBefore === 0 && page.status < 500) {
    return new NotApplicable(
      `the service refuses ${translation.path(page.request.path).replace(/^[^?]*/, '')} by ${page.status}`,
    );
  }
  return new Unmet(page, `200 for page ${pagesBefore + 1} of a walk`, String(page.status));
}

export function walkBy(style: Style, service: Service, parameters: Parameters, size: number): Promise<Walk> {
  return style === 'cursor'
    ? walkByCursor(service, { ...parameters, limit: size })
    : walkByPage(service, parameters, size);
}

/**
 * Reads pages until one is empty or equals the previous one. After `total` rows, a refused page or a page without new
 * rows also ends the walk.
 * @throws As {@link walkByCursor}.
 */
export async function walkByPage(service: Service, parameters: Parameters, perPage: number): Promise<Walk> {
  const pages: Exchange[] = [];
  const rows: unknown[] = [];
  const seen = new Set<string>();
  for (let page = 1; page <= maxPages; page++) {
    const answer = await service.get(`/items${queryOf({ ...parameters, page, per_page: perPage })}`);
    // The seed specification does not say whether a page past the end is refused, empty, or the last page again.
    const mayEnd = answer.status < 500 && rows.length >= (totalOf(pages.at(-1)) ?? 0);
    if (answer.status !== 200 && answer.status !== 0 && page > 1 && mayEnd) return { pages, rows, isComplete: true };
    if (answer.status !== 200) throw refused(service, answer, page - 1);
    const ids = idsOf(answer);
    const isRepeated =
      ids.every((id) => seen.has(id)) && (mayEnd || ids.join() === idsOf(pages.at(-1) ?? answer).join());
    if (page > 1 && (ids.length === 0 || isRepeated)) return { pages, rows, isComplete: true };
    for (const id of ids) seen.add(id);
    pages.push(answer);
    rows.push(...rowsOf(answer));
    if (rowsOf(answer).length > perPage) service.oversized.offset.push(answer);
    if (rowsOf(answer).length === 0) return { pages, rows, isComplete: true };
  }
  return { pages, rows, isComplete: false };
}

export function totalOf(page: Exchange | undefined): number | undefined {
  const { total } = fieldsOf(page?.json);
  return typeof total === 'number' ? total : undefined;
}

export function timesOf({ rows }: Walk, id: string): number {
  return rows.filter((row) => idOf(row) === id).length;
}

export function rowsOf(exchange: Exchange): readonly unknown[] {
  const { items } = fieldsOf(exchange.json);
  if (Array.isArray(items)) return items;
  return Array.isArray(exchange.json) ? exchange.json : [];
}

export function idOf(row: unknown): string {
  const { id } = fieldsOf(row);
  return typeof id === 'string' || typeof id === 'number' ? String(id) : '';
}

export function idsOf(exchange: Exchange): string[] {
  return rowsOf(exchange).map(idOf);
}

/** Formats a query, such as `?limit=2&color=red`, without empty parameters. */
export function queryOf(parameters: Parameters): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== '');
  const query = given.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&');
  return query === '' ? '' : `?${query}`;
}
