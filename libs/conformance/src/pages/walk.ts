import { type Exchange, fieldsOf } from '../service/exchange.js';
import { type Service } from '../service/service.js';
import { NotApplicable, Unmet } from '../verdict.js';
import { queryOf, rowsOf } from './rows.js';

/** All pages of one walk. */
export interface Walk {
  readonly pages: readonly Exchange[];
  readonly rows: readonly unknown[];
}

type Parameters = Readonly<Record<string, string | number | undefined>>;

const maxPages = 400;

/** Where the next page starts; undefined on the last page, however the service says so. */
export function nextCursor(page: Exchange): string | undefined {
  const { next_cursor: next } = fieldsOf(page.json);
  if (typeof next === 'number') return String(next);
  return typeof next === 'string' && next !== '' ? next : undefined;
}

/**
 * Walks by cursor: the request is repeated with `cursor` until there is no more (SPEC §4).
 * @param between called after each page but the last, with the rows so far.
 * @throws {Unmet} a page is refused, or the walk does not end.
 */
export async function walkByCursor(
  service: Service,
  parameters: Parameters,
  between: (rows: readonly unknown[]) => Promise<void> = async () => undefined,
): Promise<Walk> {
  const pages: Exchange[] = [];
  const rows: unknown[] = [];
  const used = new Set<string>();
  for (let cursor: string | undefined; ;) {
    const page = await service.get(`/items${queryOf({ ...parameters, cursor })}`);
    if (page.status !== 200) throw refused(service, page, pages.length);
    pages.push(page);
    rows.push(...rowsOf(page));
    cursor = nextCursor(page);
    if (cursor === undefined) return { pages, rows };
    if (used.has(cursor) || pages.length === maxPages) {
      throw new Unmet(page, 'a walk that comes to its end', `next_cursor again after ${pages.length} pages`);
    }
    used.add(cursor);
    await between(rows);
  }
}

function refused({ words }: Service, page: Exchange, pagesBefore: number): Error {
  if (pagesBefore === 0 && page.status < 500) {
    return new NotApplicable(
      `the service refuses ${words.path(page.ask.path).replace(/^[^?]*/, '')} by ${page.status}`,
    );
  }
  return new Unmet(page, `200 for page ${pagesBefore + 1} of a walk`, String(page.status));
}

/**
 * All pages by number, from the first one until an empty or short one.
 * @throws {Unmet} a page is refused; {NotApplicable} the list is too long, or not in this style.
 */
export async function walkByPage(service: Service, parameters: Parameters, perPage: number): Promise<Walk> {
  const pages: Exchange[] = [];
  const rows: unknown[] = [];
  for (let page = 1; page <= maxPages; page++) {
    const answer = await service.get(`/items${queryOf({ ...parameters, page, per_page: perPage })}`);
    // A page past the end is an open point of the specification.
    const total = totalOf(answer, pages);
    const mayEnd = rows.length >= total || (total === Infinity && answer.status < 500);
    if (answer.status !== 200 && page > 1 && mayEnd) return { pages, rows };
    if (answer.status !== 200) throw refused(service, answer, page - 1);
    // The same page again: its number is ignored, which is another check's sentence.
    if (rowsOf(answer).length > 0 && answer.text === pages.at(-1)?.text) return { pages, rows };
    pages.push(answer);
    rows.push(...rowsOf(answer));
    if (rowsOf(answer).length === 0 || rows.length >= totalOf(answer, pages)) return { pages, rows };
  }
  throw new NotApplicable(`the list has more than ${maxPages} pages`);
}

function totalOf(page: Exchange, before: readonly Exchange[]): number {
  const { total } = fieldsOf(page.status === 200 ? page.json : before.at(-1)?.json);
  return typeof total === 'number' ? total : Infinity;
}
