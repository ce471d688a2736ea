import {
  answers,
  instead,
  item,
  json,
  list,
  notFound,
  on,
  requests,
  status,
  text,
  wrong,
  type WrongDecision,
} from './wrong-decision.js';

/** Wrong items, fields, and lists. */
export const ofItems: readonly WrongDecision[] = [
  wrong(
    'has no description',
    ['2.item.fields'],
    json(({ description: _, ...body }) => body, on('GET', item)),
  ),
  wrong(
    'shows other values than it took',
    ['2.kept.'],
    json(
      ({ name, price, description: _, color: __, ...body }) => ({
        ...body,
        name: `${String(name)} `,
        price: price === null ? 0 : Math.fround(Number(price)),
      }),
      on('GET', item),
    ),
  ),
  wrong(
    'refuses fields that it has shown',
    ['2.read-only.ignored'],
    () => async (request, right) =>
      request.body.includes('created_at') ? { ...notFound, status: 422 } : right(request),
  ),
  wrong('takes any bytes for text', ['2.utf8'], status(400, 201, on('POST'), '{}')),
  wrong(
    'has a larger page where none is asked for',
    ['4.list.default-style'],
    json((body) => ({ ...body, per_page: 50 })),
  ),
  wrong(
    'serves larger pages than it may',
    ['4.list.maximum'],
    json((body) => ({ ...body, per_page: 101 })),
  ),
  wrong('answers a page past the end with 404', ['4.list.past-the-end'], instead(on('GET', /page=9$/), notFound)),
  wrong(
    'counts one too many',
    ['4.list.total'],
    json(({ total, ...body }) => ({ ...body, total: Number(total) + 1 })),
  ),
  wrong(
    'tags lists',
    ['4.list.no-etag'],
    answers(({ headers }) => ({ headers: { ...headers, etag: '"1"' } })),
  ),
  wrong(
    'sorts nothing',
    ['4.sort.ascending', '4.sort.descending', '4.sort.several'],
    requests(({ path }) => ({ path: path.replace(/[?&]sort=[^&]*/, '') })),
  ),
  wrong(
    'lists the newest first',
    ['4.sort.default'],
    json(({ items, ...body }) => (Array.isArray(items) ? { items: items.reverse(), ...body } : body), on('GET', list)),
  ),
  wrong(
    'narrows to no range',
    ['4.range.both', '4.range.exact', '4.range.empty'],
    requests(({ path }) => ({ path: path.replaceAll(/&price_m(in|ax)=[^&]*/g, '') })),
  ),
  wrong(
    'looks at the first colour only',
    ['4.filter.either'],
    requests(({ path }) => ({ path: path.replace(/,[^&]*/, '') })),
  ),
  wrong(
    'keeps the limit of the first page',
    ['4.cursor.other-limit'],
    requests(({ path }) => ({
      path: path.includes('cursor=') ? path.replace('limit=2', 'limit=1') : path,
    })),
  ),
  wrong(
    'walks over the values of now',
    ['4.cursor.first-values'],
    text((body) => body.replaceAll(/"price":[\d.]+/g, '"price":1'), on('GET', /cursor=/)),
  ),
  wrong('knows no HEAD', ['4.head'], instead(on('HEAD'), notFound)),
  wrong('falls over large bodies', ['4.body.large'], status(413, 500)),
  wrong('takes any type for malformed', ['4.body.type'], status(415, 400)),
];
