import type { Item } from '@items/dtos/contract';
import { ValidationError } from '@items/conventions';
import { type ReadMember, transferable, userCollection } from '@items/service/collections';

import { itemCollection } from '../items/item.collection.js';
import { captureLines } from './capture-lines.js';
import { totalOf } from './order-total.js';
import { ImportedOrderDto } from './imported-order.dto.js';
import { orderCollection } from './order.collection.js';

const WRONG_TOTAL = new ValidationError([
  { field: 'total', code: 'wrong_total', message: '"total" must be the sum of the lines.' },
]);

/** Import rules of orders. Names and prices in the file are retained. Missing ones are captured from the items now. */
export const transferableOrders = transferable(orderCollection, {
  dto: ImportedOrderDto,
  parents: userCollection,
  completion: async (find, members) => {
    const ids = members.flatMap((member) => orderOf(member).lines.map((line) => line.item_id));
    const items = await find(itemCollection, ids);
    return (member) => ({ ...member, fields: { ...member.fields, ...completed(orderOf(member), items) } });
  },
});

function orderOf({ fields }: ReadMember): ImportedOrderDto {
  return fields as unknown as ImportedOrderDto;
}

/** Completes lines and total. @throws {ValidationError} 422 */
function completed(
  { lines, total }: ImportedOrderDto,
  items: ReadonlyMap<string, Pick<Item, 'name' | 'price'>>,
): object {
  const said = lines.flatMap(({ item_id: id, name, unit_price: price }) =>
    name === null || price === null ? [] : [[id, { name, price }] as const],
  );
  const captured = captureLines(lines, new Map([...items, ...said]));
  const sum = totalOf(captured);
  if (total !== null && total !== sum) throw WRONG_TOTAL;
  return { lines: captured, total: sum };
}
