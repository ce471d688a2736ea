import { MAX_PAGE_BYTES } from '@items/conventions';

import type { EventsPage, EventsRequest } from './event-feed.js';
import { ALL, describeOnBothDatabases, Library } from './testing/library.testing.js';

/** Each mark takes at most a twelfth of a page, except one that takes more than a page. */
const MARKS = Array.from({ length: 45 }, (_, n) =>
  String(n).padEnd(n === 20 ? 1_100_000 : n % 3 === 0 ? 45_000 : 3, 'é'),
);

describeOnBothDatabases('A page of large events (SPEC §4.1)', (under) => {
  let library: Library;
  let after: string;

  beforeAll(async () => {
    library = await Library.begun(under.database);
    after = (await pageOf({ descending: true, limit: 1 })).body.after;
    for (const mark of MARKS) await library.books.create({ mark, n: 1 }, '/books');
  });

  function pageOf(request: Omit<EventsRequest, 'after'>): Promise<EventsPage> {
    return library.events.page({ after, ...request }, () => ALL);
  }

  async function walk(descending: boolean, limit: number): Promise<EventsPage[]> {
    const pages: EventsPage[] = [];
    let cursor: string | undefined;
    do {
      const page = await pageOf({ descending, limit, ...(cursor !== undefined && { cursor }) });
      for (const { id } of page.body.events) {
        expect(page.json).toContain(JSON.stringify(await library.events.get(id, ALL)));
      }
      pages.push(page);
      cursor = page.body.next_cursor;
    } while (cursor !== undefined);
    return pages;
  }

  it.each([
    [false, 100],
    [true, 100],
    [false, 7],
  ])('ends before 1 MiB, and a walk returns each event once: descending %p, limit=%d', async (descending, limit) => {
    const pages = await walk(descending, limit);
    const marks = pages.flatMap(({ body }) => body.events.map(({ data }) => (data.object as { mark: string }).mark));
    expect(marks).toEqual(descending ? MARKS.toReversed() : MARKS);
    expect(pages.length).toBeGreaterThan(2);
    const long = pages.filter(({ json }) => Buffer.byteLength(json) >= MAX_PAGE_BYTES);
    expect(long.map(({ body }) => body.events.length)).toEqual([1]);
  });

  it('returns the position that it reached, and the next page follows it', async () => {
    const marks: string[] = [];
    let reached = after;
    for (let page = 0; page < 10; page += 1) {
      const { body } = await library.events.page({ after: reached, descending: false, limit: 100 }, () => ALL);
      marks.push(...body.events.map(({ data }) => (data.object as { mark: string }).mark));
      reached = body.after;
    }
    expect(marks).toEqual(MARKS);
  });
});
