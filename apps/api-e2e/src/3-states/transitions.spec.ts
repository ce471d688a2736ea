import { randomUUID } from 'node:crypto';

import {
  ORDER_STATUSES,
  ORDER_TRANSITIONS,
  STAFF_STATUSES,
  type Item,
  type Order,
  type OrderStatus,
} from '@items/dtos/contract';
import type { HttpClient } from '@items/testing';

import { admin } from '../harness/clients.js';
import { untilAfter } from '../harness/clock.js';
import {
  advance,
  createCustomer,
  createPriced,
  orderOf,
  placeOrder,
  transitionOf,
  transitionsOf,
  type Customer,
} from '../harness/orders.js';
import { errorOf, expectStatus, fieldsOf } from '../harness/reading.js';

/** The transitions that lead to each status. */
const WAYS: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  pending: [],
  confirmed: ['confirmed'],
  shipped: ['confirmed', 'shipped'],
  delivered: ['confirmed', 'shipped', 'delivered'],
  cancelled: ['cancelled'],
};

describe('§3 States and transitions of an order', () => {
  let ada: Customer;
  let mug: Item;
  beforeAll(async () => {
    ada = await createCustomer();
    [mug] = (await createPriced(3)) as [Item];
  });

  /** Creates an order in a status, and returns its path. */
  async function orderThatIs(status: OrderStatus): Promise<string> {
    const target = `${ada.path}/${(await placeOrder(ada, mug)).id}`;
    await advance(target, ...WAYS[status]);
    return target;
  }

  /** Returns a client that may set the status. */
  const moverTo = (to: OrderStatus): HttpClient => (STAFF_STATUSES.includes(to) ? admin : ada.client);
  const read = async (target: string): Promise<Order> => orderOf(await ada.client.get(target));

  const allowed = ORDER_STATUSES.flatMap((from) => ORDER_TRANSITIONS[from].map((to) => [from, to] as const));
  const illegal = ORDER_STATUSES.flatMap((from) =>
    ORDER_STATUSES.filter((to) => !ORDER_TRANSITIONS[from].includes(to)).map((to) => [from, to] as const),
  );

  it.each(allowed)('POST …/transitions: %s → %s returns 201 {id, from, to, created_at}', async (from, to) => {
    const target = await orderThatIs(from);
    const before = await read(target);
    const answer = await moverTo(to).post(`${target}/transitions`, { to });
    const made = transitionOf(answer);
    expect(made).toEqual({ id: expect.any(String), from, to, created_at: expect.any(String) });
    const location = answer.header('location') ?? '';
    expect(location).toBe(`${target}/transitions/${made.id}`);
    expect(transitionOf(await ada.client.get(location), 200)).toEqual(made);
    expect(await read(target)).toEqual({ ...before, status: to, updated_at: expect.any(String) });
  });

  it.each(illegal)('an illegal one is 409 and lists the allowed ones: %s → %s', async (from, to) => {
    const target = await orderThatIs(from);
    const before = await read(target);
    const error = errorOf(await moverTo(to).post(`${target}/transitions`, { to }), 409);
    expect(error.code).toBe('illegal_transition');
    expect(fieldsOf(error)).toEqual(['to']);
    for (const text of [error.error.split(';')[1] ?? '', error.details?.[0]?.message ?? '']) {
      for (const status of ORDER_STATUSES.filter((status) => status !== from)) {
        expect([status, text.includes(status)]).toEqual([status, ORDER_TRANSITIONS[from].includes(status)]);
      }
    }
    expect(await read(target)).toEqual(before);
    expect(transitionsOf(await ada.client.get(`${target}/transitions`)).total).toBe(WAYS[from].length);
  });

  it.each([{ to: 'lost' }, { to: '' }, { to: null }, { to: 1 }, {}, { to: 'Confirmed' }])(
    'an unknown state is 422 that names it: %j',
    async (body) => {
      const target = await orderThatIs('pending');
      expect(fieldsOf(errorOf(await ada.client.post(`${target}/transitions`, body), 422))).toEqual(['to']);
    },
  );

  it('an unknown order is 404, after 422', async () => {
    for (const id of ['01890000-0000-7000-8000-000000000004', 'x', '%00']) {
      const target = `${ada.path}/${id}/transitions`;
      expect(errorOf(await ada.client.post(target, { to: 'confirmed' }), 404).code).toBe('order_not_found');
      expect(errorOf(await ada.client.get(target), 404).code).toBe('order_not_found');
      errorOf(await ada.client.post(target, { to: 'lost' }), 422);
    }
  });

  it('the status, updated_at and ETag of the order change', async () => {
    const target = await orderThatIs('pending');
    const before = await ada.client.get(target);
    await untilAfter(orderOf(before).updated_at);
    await advance(target, 'confirmed');
    const after = await ada.client.get(target, ['If-None-Match', before.header('etag') ?? '']);
    expect(orderOf(after).updated_at > orderOf(before).updated_at).toBe(true);
    expect(after.header('etag')).not.toBe(before.header('etag'));
  });

  it('GET …/transitions lists them in both styles, with no entry for the creation', async () => {
    const target = await orderThatIs('pending');
    expect(transitionsOf(await ada.client.get(`${target}/transitions`))).toEqual({
      transitions: [],
      page: 1,
      per_page: 20,
      total: 0,
    });
    await advance(target, ...WAYS.delivered);
    const all = transitionsOf(await ada.client.get(`${target}/transitions`));
    expect(all.total).toBe(3);
    expect(all.transitions.map(({ from, to }) => [from, to])).toEqual([
      ['pending', 'confirmed'],
      ['confirmed', 'shipped'],
      ['shipped', 'delivered'],
    ]);
    const first = transitionsOf(await ada.client.get(`${target}/transitions?limit=2`));
    const { next_cursor: cursor } = first as unknown as { next_cursor: string };
    const rest = transitionsOf(await ada.client.get(`${target}/transitions?limit=2&cursor=${cursor}`));
    expect([...first.transitions, ...rest.transitions]).toEqual(all.transitions);
    const newest = transitionsOf(await ada.client.get(`${target}/transitions?sort=-created_at&per_page=1&page=3`));
    expect(newest.transitions).toEqual(all.transitions.slice(0, 1));
    const other = await orderThatIs('confirmed');
    expect(fieldsOf(errorOf(await ada.client.get(`${target}/transitions?status=pending`), 400))).toEqual(['status']);
    expect(errorOf(await ada.client.get(`${other}/transitions?limit=2&cursor=${cursor}`), 400).code).toBe(
      'invalid_cursor',
    );
    errorOf(await ada.client.get(`${other}/transitions/${all.transitions[0]?.id}`), 404);
  });

  describe('racing transitions', () => {
    async function race(toOf: (n: number) => OrderStatus): Promise<OrderStatus[]> {
      const target = await orderThatIs('pending');
      const racers = Array.from({ length: 16 }, (_, n) => ada.client.post(`${target}/transitions`, { to: toOf(n) }));
      const answers = await Promise.all(racers);
      for (const answer of answers) expectStatus(answer, 201, 409);
      const made = answers.filter(({ status }) => status === 201).map((answer) => transitionOf(answer));
      const { transitions } = transitionsOf(await ada.client.get(`${target}/transitions`));
      expect(transitions).toEqual(made.sort((a, b) => (a.id < b.id ? -1 : 1)));
      expect((await read(target)).status).toBe(transitions.at(-1)?.to);
      return transitions.map(({ to }) => to);
    }

    it('exactly one of 16 to the same state succeeds', async () => {
      for (let round = 0; round < 4; round += 1) expect(await race(() => 'confirmed')).toEqual(['confirmed']);
    });

    it('each of 16 to one of two states starts from the state that the previous one left', async () => {
      for (let round = 0; round < 4; round += 1) {
        const states = await race((n) => ((n + round) % 2 === 0 ? 'confirmed' : 'cancelled'));
        expect(['confirmed', 'cancelled', 'confirmed,cancelled']).toContain(states.join());
      }
    });
  });

  it('Idempotency-Key on POST: a repeat returns the first response and changes nothing', async () => {
    const target = await orderThatIs('pending');
    const key = ['Idempotency-Key', randomUUID()] as const;
    const first = await ada.client.post(`${target}/transitions`, { to: 'confirmed' }, key);
    expectStatus(first, 201);
    await advance(target, 'shipped');
    const repeat = await ada.client.post(`${target}/transitions`, { to: 'confirmed' }, key);
    expect([repeat.status, repeat.text, repeat.header('idempotent-replayed')]).toEqual([201, first.text, 'true']);
    errorOf(await ada.client.post(`${target}/transitions`, { to: 'cancelled' }, key), 422);
    expect((await read(target)).status).toBe('shipped');
  });

  it('A read-only field that a client sends back is ignored; any other unknown field is 422', async () => {
    const target = await orderThatIs('pending');
    const sent = { id: 'x', from: 'shipped', to: 'confirmed', created_at: 'never' };
    expect(transitionOf(await ada.client.post(`${target}/transitions`, sent)).from).toBe('pending');
    errorOf(await ada.client.post(`${target}/transitions`, { to: 'shipped', note: '' }), 422);
  });

  it('methods that transitions do not have are 405 with Allow', async () => {
    const target = await orderThatIs('confirmed');
    const [made] = transitionsOf(await ada.client.get(`${target}/transitions`)).transitions;
    for (const [path, allow] of [
      [`${target}/transitions`, 'GET, HEAD, POST, OPTIONS'],
      [`${target}/transitions/${made?.id}`, 'GET, HEAD, OPTIONS'],
    ] as const) {
      const answer = await ada.client.send('DELETE', path);
      errorOf(answer, 405);
      expect(answer.header('allow')).toBe(allow);
    }
  });
});
