import { freshColor } from '@items/testing';

import { admin } from '../harness/clients.js';
import { createItem, walk } from '../harness/items.js';

/** Cents that floating point would reveal: with it, their sums and products are off by one. */
const CENTS = [1, 10, 29, 57, 58, 113, 115, 435, 841, 1001, 1999, 7007, 10_010, 28_571, 99_999_999_998, 99_999_999_999];

function written(cents: number): string {
  const whole = String(Math.floor(cents / 100));
  const rest = String(cents % 100).padStart(2, '0');
  return `${whole}.${rest}`.replace(/\.?0+$/, '');
}

describe('§2 price is stored exactly, never as binary floating point', () => {
  const color = freshColor();

  beforeAll(async () => {
    for (const cents of [...CENTS].reverse()) await createItem({ color, price: cents / 100 });
  });

  it('a response returns it exact to the cent', async () => {
    for (const cents of CENTS) {
      const answer = await admin.send('POST', '/items', {
        body: `{"name":"Lamp","price":${written(cents)}}`,
        headers: [['Content-Type', 'application/json']],
      });
      expect(answer.text).toMatch(new RegExp(`"price":${written(cents).replace('.', '\\.')}[,}]`));
    }
  });

  it('the sort order is exact, both ascending and descending', async () => {
    const ascending = (await walk(`color=${color}&sort=price&limit=5`)).map((item) => item.price);
    expect(ascending).toEqual(CENTS.map((cents) => cents / 100));
    const descending = (await walk(`color=${color}&sort=-price&limit=5`)).map((item) => item.price);
    expect(descending).toEqual([...ascending].reverse());
  });

  it('is never negative: minus zero is zero', async () => {
    const answer = await admin.send('POST', '/items', {
      body: '{"name":"Lamp","price":-0}',
      headers: [['Content-Type', 'application/json']],
    });
    expect(answer.text).toMatch(/"price":0[,}]/);
  });
});
