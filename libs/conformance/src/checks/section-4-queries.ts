import { type Draft, specified } from './specified.js';
import { type CheckContext } from '../check.js';
import { expectStatus, expectThat, NotApplicable, Unmet } from '../verdict.js';
import { type OwnItem } from '../lists/own-items.js';
import { idOf, type Parameters, rowsOf, type Style, totalOf, type Walk, walkBy } from '../pages/walk.js';
import { fieldsOf } from '../service/exchange.js';

export const section4Queries = specified([], {
  '4.filter.color-offset': narrowsByColor('offset'),
  '4.filter.none-offset': mayBeEmpty('offset'),
  '4.sort.price-offset': ordersByPrice('offset'),
  '4.filter.color-cursor': narrowsByColor('cursor'),
  '4.filter.none-cursor': mayBeEmpty('cursor'),
  '4.sort.price-cursor': ordersByPrice('cursor'),
});

function narrowsByColor(style: Style): Draft {
  return {
    sentence: `\`color\` (filter, string) narrows the collection by colour (${style} paging).`,
    needs: ['items.write', 'color', style],
    run: async (context) => {
      const [one, other] = await colored(context);
      const { filterField: field } = context.found;
      const [color] = context.found.colors;
      const { rows, pages, isComplete } = await walkAll(context, style, { [field]: String(color) }, 1);
      for (const page of pages) expectStatus(page, 200);
      const page = pages[pages.length > 1 ? 1 : 0];
      // Rows of a list may omit the field, so only a different value is wrong.
      const isWrong = (row: unknown): boolean => field in fieldsOf(row) && fieldsOf(row)[field] !== color;
      const wrong = rows.find((row) => idOf(row) === other.id || isWrong(row));
      if (page === undefined) return;
      if (wrong) {
        const shown = JSON.stringify(fieldsOf(wrong)[field]);
        throw new Unmet(page, `only rows with the \`${field}\` ${String(color)}`, `a row with ${shown}`);
      }
      if (!isComplete) return;
      const missing = one.find(({ id }) => !rows.some((row) => idOf(row) === id));
      if (missing)
        throw new Unmet(page, `all rows with the \`${field}\` ${String(color)}`, `row ${missing.id} is missing`);
      const total = totalOf(pages[0]);
      if (style === 'offset' && total !== undefined && total !== rows.length) {
        throw new Unmet(page, `\`total\`: ${rows.length}, the rows that match`, `\`total\`: ${total}`);
      }
    },
  };
}

function mayBeEmpty(style: Style): Draft {
  return {
    sentence: `GET \`/items\` answers 200 with an \`items\` array, also if no item has the \`color\` (${style} paging).`,
    needs: ['items.write', 'color', style],
    run: async (context) => {
      const { service, found, label } = context;
      if (!found.colorsAreOwn) throw new NotApplicable('the service restricts the colours of items');
      const color = label('n');
      const size = style === 'offset' ? 'page=1&per_page=2' : 'limit=2';
      const list = await service.get(`/items?${found.filterField}=${color}&${size}`);
      // The service may refuse a filter value that no item has.
      if (list.status === 400 || list.status === 422) return;
      expectStatus(list, 200);
      expectThat(rowsOf(list).length === 0, list, 'no items');
    },
  };
}

function ordersByPrice(style: Style): Draft {
  return {
    sentence: `\`sort\` (string) orders the collection, for example by price (${style} paging).`,
    needs: ['items.write', 'price', style],
    run: async (context) => {
      const { items, found } = context;
      const { filterField, sortField: field } = found;
      const color = found.colorsAreOwn ? context.label('s') : undefined;
      const numbers = [10, 9, 100, 2, 30];
      const filter = color === undefined ? {} : { [filterField]: color };
      const own = await items.createMany(numbers.map((number) => ({ [field]: found.sortValue(number), ...filter })));
      const { rows, pages } = await walkAll(context, style, { sort: field, [filterField]: color }, 3);
      const places = rows.map((row) => own.findIndex(({ id }) => id === idOf(row)));
      const shown = places.flatMap((place) => numbers[place] ?? []);
      const page = pages[0];
      if (page && !isOrdered(shown)) throw new Unmet(page, `\`${field}\` in order`, shown.join(', '));
    },
  };
}

async function colored({ items, found }: CheckContext): Promise<[OwnItem[], OwnItem]> {
  const [color, another] = found.colors.map((value) => ({ [found.filterField]: value }));
  const first = await items.create(color);
  const other = await items.create(another);
  return [[first, await items.create(color), await items.create(color)], other];
}

async function walkAll(
  { service, found }: CheckContext,
  style: Style,
  parameters: Parameters,
  size: number,
): Promise<Walk> {
  // Without a filter for the rows of the run, the list may be long: use large pages.
  const isNarrow = found.colorsAreOwn && parameters[found.filterField] !== undefined;
  return walkBy(style, service, parameters, isNarrow ? size : found.pageSizes[style]);
}

/** Accepts either direction, because the seed specification does not say which direction `sort=price` means. */
function isOrdered(numbers: readonly number[]): boolean {
  if (numbers.length < 2) throw new NotApplicable('the list does not show the items');
  const pairs = numbers.slice(1).map((number, index) => [numbers[index] ?? number, number] as const);
  return pairs.every(([one, next]) => one <= next) || pairs.every(([one, next]) => one >= next);
}
