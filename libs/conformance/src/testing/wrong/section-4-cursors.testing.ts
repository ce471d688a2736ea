import { cursorList, losingTies, offsetList } from './wrong-lists.testing.js';
import { stranger, byCursor, ignoring, isList, reshaped, wrong, type WrongService } from './wrong-service.testing.js';

export const cursors: readonly WrongService[] = [
  wrong('4.cursor.next-cursor', 'returns a number as next_cursor', cursorList({ cursor: 'number' })),
  wrong(
    '4.cursor.next-cursor',
    'never has a next_cursor',
    reshaped(isList, ({ items }) => ({ items })),
    { styles: ['cursor'] },
  ),
  wrong(
    '4.cursor.limit',
    'ignores limit',
    ignoring('limit', ({ query }) => query.get('limit') === '1'),
    { styles: ['cursor'] },
  ),
  wrong(
    '4.cursor.limit',
    'ignores limit with a cursor',
    ignoring('limit', ({ query }) => query.has('cursor')),
  ),
  wrong('4.cursor.position', 'ignores cursor', ignoring('cursor'), { styles: ['cursor'] }),
  ...[null, ''].map((next) =>
    wrong(
      '4.cursor.absent-on-last',
      `ends with next_cursor ${JSON.stringify(next)}`,
      reshaped(
        (request) => isList(request) && byCursor(request),
        (body) => ({ next_cursor: next, ...body }),
      ),
    ),
  ),
  wrong('4.cursor.each-once', 'skips an item between two pages', cursorList({ cursor: 'offset', gap: 1 })),
  wrong('4.cursor.position', 'repeats an item on the next page', cursorList({ cursor: 'offset', gap: -1 })),
  wrong(
    '4.cursor.no-duplicates.inserts',
    'counts rows, the newest first',
    cursorList({ cursor: 'offset', order: 'newest' }),
  ),
  wrong('4.cursor.no-skips.inserts', 'counts the rows that are left', cursorList({ cursor: 'left' })),
  wrong('4.cursor.no-skips.deletes', 'counts the rows that were listed', cursorList({ cursor: 'offset' })),
  wrong('4.cursor.ends', 'continues after the last price or id', cursorList({ cursor: 'price' })),
  wrong('4.cursor.ties', 'loses rows of one price between two pages', losingTies),
  wrong(
    '4.filter.color-offset',
    'ignores color by page',
    ignoring('color', (request) => !byCursor(request)),
  ),
  wrong('4.filter.color-cursor', 'ignores color by cursor', ignoring('color', byCursor)),
  wrong('4.filter.color-cursor', 'filters by colour only on the first page', (request, right, items) =>
    cursorList({ cursor: 'offset', filter: !request.query.has('cursor') })(request, right, items),
  ),
  wrong(
    '4.sort.price-offset',
    'ignores sort by page',
    ignoring('sort', (request) => !byCursor(request)),
  ),
  wrong('4.sort.price-cursor', 'ignores sort by cursor', ignoring('sort', byCursor)),
  wrong('4.sort.price-offset', 'sorts prices as text', (request, right, items) => {
    if (!isList(request) || byCursor(request) || stranger(request) || !request.query.has('sort')) return right(request);
    return offsetList(
      [...items.values()].sort((a, b) => (String(a.price) < String(b.price) ? -1 : 1)),
      request.query,
    );
  }),
];
