import { ValidationError } from '@items/conventions';
import type { OrderFieldsDto, OrderInputDto } from '@items/dtos';
import type { Item } from '@items/dtos/contract';
import type { ImportRules } from '@items/service/collections';

import { items } from '../items/item.collection.js';
import { captureLines, totalOf } from './order-lines.js';

const WRONG_TOTAL = new ValidationError([
  { field: 'total', code: 'wrong_total', message: '"total" must be the sum of the lines.' },
]);

/** Names and prices in the file are retained. Missing ones are copied from the current items. */
export const orderImport: ImportRules<OrderInputDto & Partial<OrderFieldsDto>> = {
  completion: async (find, imported) => {
    const ids = imported.flatMap(({ lines }) => lines.map((line) => line.item_id));
    const known = await find(items, ids);
    return ({ lines, status = 'pending', total }) => {
      const named = new Map<string, Pick<Item, 'name' | 'price'>>(known);
      for (const { item_id: id, name, unit_price: price } of lines) {
        if (name !== undefined && price !== undefined) named.set(id, { name, price });
      }
      const captured = captureLines(lines, named);
      const sum = totalOf(captured);
      if (total !== undefined && total !== sum) throw WRONG_TOTAL;
      return { lines: captured, status, total: sum };
    };
  },
};
