import { type Draft, specified } from './specified.js';
import { type CheckContext } from '../context.js';
import { expectStatus, unmet } from '../expectations.js';
import { type OwnItem } from '../lists/own-items.js';
import { idOf } from '../pages/rows.js';
import { type Walk, walkByCursor, walkByPage } from '../pages/walk.js';
import { fieldsOf } from '../service/exchange.js';
import { NotApplicable } from '../verdict.js';

type Style = 'offset' | 'cursor';

/** SPEC §4: the query narrows and orders the collection, in each paging style that the service has. */
export const section4Queries = specified(
  (['offset', 'cursor'] as const).flatMap((style): Draft[] => [
    {
      id: `4.filter.color-${style}`,
      sentence: `\`color\` (filter, string) narrows the collection by colour (${style} paging).`,
      needs: ['items.write', 'color', style],
      run: async (context) => {
        const [one, other] = await colored(context);
        const [color] = context.found.colors;
        const { rows, pages } = await walkAll(context, style, { color }, 1);
        for (const page of pages) expectStatus(page, 200);
        const page = pages[pages.length > 1 ? 1 : 0];
        const wrong = rows.find((row) => idOf(row) === other.id || fieldsOf(row)['color'] !== color);
        if (page === undefined) return;
        if (wrong) {
          const shown = JSON.stringify(fieldsOf(wrong)['color']);
          throw unmet(page, `only items of the colour ${color}`, `an item of the colour ${shown}`);
        }
        const missing = one.find(({ id }) => !rows.some((row) => idOf(row) === id));
        if (missing) throw unmet(page, `all items of the colour ${color}`, `item ${missing.id} is missing`);
      },
    },
    {
      id: `4.sort.price-${style}`,
      sentence: `\`sort\` (string) orders the collection, for example by price (${style} paging).`,
      needs: ['items.write', 'price', style],
      run: async (context) => {
        const { items, found } = context;
        const color = found.colorsAreOwn ? context.word('s').replaceAll('-', '').slice(0, 24) : undefined;
        const prices = [10, 9, 100, 2, 30];
        const own = await items.createMany(prices.map((price) => ({ price, ...(color ? { color } : {}) })));
        const { rows, pages } = await walkAll(context, style, { sort: 'price', color }, 3);
        const shown = rows.filter((row) => own.some(({ id }) => id === idOf(row))).map((row) => fieldsOf(row)['price']);
        const page = pages[0];
        if (page && !isOrdered(shown.map(Number))) throw unmet(page, 'prices in order', `prices ${shown.join(', ')}`);
      },
    },
  ]),
);

/** Items of both colours. */
async function colored({ items, found }: CheckContext): Promise<[OwnItem[], OwnItem]> {
  const [color, another] = found.colors;
  const first = await items.create({ color });
  const other = await items.create({ color: another });
  return [[first, await items.create({ color }), await items.create({ color })], other];
}

async function walkAll(
  context: CheckContext,
  style: Style,
  parameters: Readonly<Record<string, string | undefined>>,
  size: number,
): Promise<Walk> {
  const { service, found } = context;
  // The own rows are few; among those of others a page has to be larger.
  const narrow = found.colorsAreOwn && parameters['color'] !== undefined;
  if (style === 'offset') return walkByPage(service, parameters, narrow ? size : found.pageSize);
  return walkByCursor(service, { ...parameters, limit: narrow ? size : found.limitSize });
}

/** In either direction: which of them `sort=price` means is not shown. */
function isOrdered(prices: readonly number[]): boolean {
  if (prices.length < 2) throw new NotApplicable('the list does not show the items');
  const steps = prices.slice(1).map((price, index) => price - (prices[index] ?? 0));
  return steps.every((step) => step >= 0) || steps.every((step) => step <= 0);
}
