import { expectThat } from '../expectations.js';
import { walkByCursor } from '../pages/walk.js';
import { fieldsOf } from '../service/exchange.js';
import { NotApplicable } from '../verdict.js';
import { decided, type Draft } from './specified.js';

export const decidedRanges = decided([
  prices('both', '`<field>_min` and `<field>_max`, both inclusive; null lies in no range.', '10', '20', [10, 10.5, 20]),
  prices(
    'exact',
    'Numbers have JSON’s grammar and are compared exactly, with any decimals.',
    '1.0001e1',
    '20.009',
    [10.5, 20],
  ),
  prices('empty', '`_min` above `_max`: 200 with no rows.', '20', '10', []),
]);

function prices(name: string, sentence: string, min: string, max: string, expected: readonly number[]): Draft {
  return {
    id: `4.range.${name}`,
    sentence,
    needs: ['items.write', 'color', 'cursor', 'price'],
    run: async (context) => {
      if (!context.found.colorsAreOwn) throw new NotApplicable('an item cannot have any colour');
      const color = context.word('r').replaceAll('-', '').slice(0, 24);
      await context.items.createMany([20, 5, null, 10.5, 10, 30].map((price) => ({ color, price })));
      const query = { color, sort: 'price', price_min: min, price_max: max, limit: 2 };
      const { rows, pages } = await walkByCursor(context.service, query);
      const found = rows.map((row) => fieldsOf(row)['price']).join();
      const [first] = pages;
      if (first) expectThat(found === expected.join(), first, `prices ${expected.join()}`, `prices ${found}`);
    },
  };
}
