import type { Item } from '@items/dtos/contract';
import { ValidationError } from '@items/conventions';

import { captureLines } from './order-lines.js';

const created = { description: null, color: null, created_at: '', updated_at: '' };
const items = new Map<string, Item>([
  ['mug', { id: 'mug', name: 'Mug', price: 12.5, ...created }],
  ['gift', { id: 'gift', name: 'Gift', price: 0, ...created }],
  ['idea', { id: 'idea', name: 'Idea', price: null, ...created }],
]);
const line = (itemId: string) => ({ item_id: itemId, quantity: 2 });

describe('SPEC §3: placing an order captures each item’s name and price', () => {
  it('in the order of the lines, also if an item is repeated', () => {
    expect(captureLines([line('gift'), line('mug'), line('gift')], items)).toEqual([
      { item_id: 'gift', name: 'Gift', quantity: 2, unit_price: 0 },
      { item_id: 'mug', name: 'Mug', quantity: 2, unit_price: 12.5 },
      { item_id: 'gift', name: 'Gift', quantity: 2, unit_price: 0 },
    ]);
  });

  it('names each line that cannot be ordered', () => {
    const bad = [line('mug'), line('none'), line('idea'), line('constructor')];
    expect(() => captureLines(bad, items)).toThrow(
      new ValidationError([
        { field: 'lines.1.item_id', code: 'unknown_item', message: '"lines.1.item_id" is not the id of an item.' },
        { field: 'lines.2.item_id', code: 'no_price', message: '"lines.2.item_id" is an item without a price.' },
        { field: 'lines.3.item_id', code: 'unknown_item', message: '"lines.3.item_id" is not the id of an item.' },
      ]),
    );
  });
});
