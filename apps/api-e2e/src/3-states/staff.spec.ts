import type { Item, OrderStatus } from '@items/dtos/contract';

import { admin, anonymous } from '../harness/clients.js';
import { advance, createCustomer, createPriced, orderOf, placeOrder, type Customer } from '../harness/orders.js';
import { errorOf, expectStatus } from '../harness/reading.js';

const UNKNOWN = '01890000-0000-7000-8000-000000000006';

describe('§3 The owner of an order may confirm and cancel; only administrators ship and deliver', () => {
  let mug: Item;
  let ada: Customer;
  let staff: Customer;
  beforeAll(async () => {
    [mug] = (await createPriced(3)) as [Item];
    [ada, staff] = [await createCustomer(), await createCustomer('admin')];
  });

  async function placed(...states: readonly OrderStatus[]): Promise<string> {
    const target = `${ada.path}/${(await placeOrder(ada, mug)).id}`;
    await advance(target, ...states);
    return `${target}/transitions`;
  }

  it.each([
    ['confirmed', []],
    ['cancelled', []],
    ['cancelled', ['confirmed']],
  ] as const)('its owner: %s, after %j', async (to, states) => {
    expectStatus(await ada.client.post(await placed(...states), { to }), 201);
  });

  it.each([
    ['shipped', ['confirmed']],
    ['delivered', ['confirmed', 'shipped']],
  ] as const)('%s is 403 for its owner, changes nothing, and 201 for an administrator', async (to, states) => {
    const target = await placed(...states);
    const order = target.replace(/\/transitions$/, '');
    const before = orderOf(await ada.client.get(order));
    const refused = errorOf(await ada.client.post(target, { to }), 403);
    expect(refused.code).toBe('staff_only');
    expect(orderOf(await ada.client.get(order))).toEqual(before);
    expectStatus(await staff.client.post(target, { to }), 201);
  });

  it('an administrator ships an order of their own', async () => {
    const target = `${staff.path}/${(await placeOrder(staff, mug)).id}/transitions`;
    expectStatus(await staff.client.post(target, { to: 'confirmed' }), 201);
    expectStatus(await staff.client.post(target, { to: 'shipped' }), 201);
  });

  it('403 comes before 409 and 404, and after 401 and 422', async () => {
    for (const to of ['shipped', 'delivered']) {
      errorOf(await ada.client.post(await placed('cancelled'), { to }), 403);
      errorOf(await ada.client.post(`${ada.path}/${UNKNOWN}/transitions`, { to }), 403);
      errorOf(await ada.client.post(await placed(), { to, note: 'x' }), 422);
      errorOf(await anonymous.post(await placed(), { to }), 401);
      errorOf(await admin.post(await placed(), { to }), 409);
    }
  });

  it('a refusal leaves no record of its Idempotency-Key', async () => {
    const target = await placed('confirmed');
    const key = ['Idempotency-Key', `ship-${target}`] as const;
    errorOf(await ada.client.post(target, { to: 'shipped' }, key), 403);
    expectStatus(await ada.client.post(target, { to: 'cancelled' }, key), 201);
  });
});
