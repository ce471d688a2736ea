import type { CursorPage, Item, OffsetPage, Order, OrderStatus, Role, Scope, Transition } from '@items/contracts';
import type { Answer, HttpClient } from '@items/testing';

import { admin, createKey, withKey } from './clients.js';
import { createItem } from './items.js';
import { expectStatus } from './reading.js';
import { createUser, withBasic } from './users.js';
import { pagesOf, type BetweenPages } from './walk.js';

/** Somebody with a key of his own, which holds all that his role has. */
export interface Customer {
  readonly id: string;
  readonly client: HttpClient;
  /** Of his orders, by his id. */
  readonly path: string;
}

/** A new user with a key that he has made himself. */
export async function createCustomer(
  role: Role = 'member',
  scopes: readonly Scope[] = ['orders:read', 'orders:write'],
): Promise<Customer> {
  const { id, client } = await createByPassword(role);
  const { key } = await createKey({ scopes }, client);
  return { id, client: withKey(key), path: `/users/${id}/orders` };
}

/** A new user who shows his password each time. */
export async function createByPassword(role: Role): Promise<Customer> {
  const { id, username } = await createUser({ role });
  return { id, client: withBasic(username), path: `/users/${id}/orders` };
}

/** Items of these prices, one after the other. */
export async function createPriced(...prices: readonly number[]): Promise<Item[]> {
  const items: Item[] = [];
  for (const price of prices) items.push(await createItem({ name: `At ${price}`, price }));
  return items;
}

/** One of each item. */
export function oneOfEach(items: readonly { readonly id: string }[]): { lines: object[] } {
  return { lines: items.map(({ id }) => ({ item_id: id, quantity: 1 })) };
}

/** Places an order of one of each item. */
export async function placeOrder(
  { client, path }: Pick<Customer, 'client' | 'path'>,
  ...items: readonly { readonly id: string }[]
): Promise<Order> {
  return orderOf(await client.post(path, oneOfEach(items)), 201);
}

/** Makes the order go through these states. */
export async function advance(target: string, ...states: readonly OrderStatus[]): Promise<void> {
  for (const to of states) expectStatus(await admin.post(`${target}/transitions`, { to }), 201);
}

export function orderOf(answer: Answer, status = 200): Order {
  return bodyOf(answer, status) as Order;
}

export function transitionOf(answer: Answer, status = 201): Transition {
  return bodyOf(answer, status) as Transition;
}

export function ordersOf(answer: Answer): OffsetPage<'orders', Order> & CursorPage<'orders', Order> {
  return bodyOf(answer, 200) as OffsetPage<'orders', Order> & CursorPage<'orders', Order>;
}

export function transitionsOf(answer: Answer): OffsetPage<'transitions', Transition> {
  return bodyOf(answer, 200) as OffsetPage<'transitions', Transition>;
}

/** All orders of a walk. @param between what others do between two pages. */
export async function walkOrders(
  { client, path }: Pick<Customer, 'client' | 'path'>,
  query: string,
  between?: BetweenPages,
): Promise<Order[]> {
  const ask = async (asked: string) => ordersOf(await client.get(`${path}?${asked}`));
  return (await pagesOf(ask, query, between)).flatMap(({ orders }) => orders);
}

function bodyOf(answer: Answer, status: number): unknown {
  expectStatus(answer, status);
  return answer.json();
}
