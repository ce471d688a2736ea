/** Simulates other clients between two pages. @param served number of pages so far. */
export type BetweenPages = (served: number) => Promise<unknown>;

const MOST_PAGES = 1000;

/**
 * Follows `next_cursor` until it is absent. SPEC §4 Cursor rules
 * @param ask gets a page by its query.
 * @param query without `cursor`.
 * @returns the pages in order.
 */
export async function pagesOf<Page extends { readonly next_cursor?: string }>(
  ask: (query: string) => Promise<Page>,
  query: string,
  between: BetweenPages = () => Promise.resolve(),
): Promise<Page[]> {
  const pages: Page[] = [];
  let cursor = '';
  while (pages.length < MOST_PAGES) {
    const page = await ask(`${query}${cursor}`);
    pages.push(page);
    if (page.next_cursor === undefined) return pages;
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
    await between(pages.length);
  }
  throw new Error('A walk without an end');
}
