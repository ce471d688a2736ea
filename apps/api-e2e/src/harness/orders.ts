import type { Item, Order, OrderStatus, Role, Scope, Transition } from '@items/dtos/contract';
import type { CursorPage, OffsetPage } from '@items/conventions';
import type { Answer, HttpClient } from '@items/testing';

import { admin, createKey, withKey } from './clients.js';
import { createItem } from './items.js';
import { expectStatus } from './reading.js';
import { createUser, withBasic } from './users.js';
import { pagesOf, type BetweenPages } from './walk.js';

/** The sorts of lists of orders. SPEC §4 */
export const ORDER_SORTS: readonly string[] = ['created_at', 'updated_at', 'total'].flatMap((field) => [
  field,
  `-${field}`,
]);

/** A user with a key that has all scopes of the role. */
export interface Customer {
  readonly id: string;
  readonly client: HttpClient;
  /** Path of the user's orders, by id. */
  readonly path: string;
}

/** Creates a user with a key of their own. */
export async function createCustomer(
  role: Role = 'member',
  scopes: readonly Scope[] = ['orders:read', 'orders:write'],
): Promise<Customer> {
  const { id, client } = await createByPassword(role);
  const { key } = await createKey({ scopes }, client);
  return { id, client: withKey(key), path: `/users/${id}/orders` };
}

/** Creates a user who sends the password with each request. */
export async function createByPassword(role: Role): Promise<Customer> {
  const { id, username } = await createUser({ role });
  return { id, client: withBasic(username), path: `/users/${id}/orders` };
}

/** Creates items with these prices sequentially. */
export async function createPriced(...prices: readonly number[]): Promise<Item[]> {
  const items: Item[] = [];
  for (const price of prices) items.push(await createItem({ name: `At ${price}`, price }));
  return items;
}

export function oneOfEach(items: readonly { readonly id: string }[]): { lines: object[] } {
  return { lines: items.map(({ id }) => ({ item_id: id, quantity: 1 })) };
}

export async function placeOrder(
  { client, path }: Pick<Customer, 'client' | 'path'>,
  ...items: readonly { readonly id: string }[]
): Promise<Order> {
  return orderOf(await client.post(path, oneOfEach(items)), 201);
}

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

/** All orders of a walk. @param between writes of others between two pages. */
export async function walkOrders(
  { client, path }: Pick<Customer, 'client' | 'path'>,
  query: string,
  between?: BetweenPages,
): Promise<Order[]> {
  const ask = async (asked: string) => ordersOf(await client.get(`${path}?${asked}`));
  return (await pagesOf(ask, query, between)).flatMap(({ orders }) => orders);
}

/** Sorts by §4: the id breaks ties. */
export function sortedOrders(orders: readonly Order[], sort: string): Order[] {
  const field = sort.replace('-', '') as 'created_at' | 'updated_at' | 'total';
  const sign = sort.startsWith('-') ? -1 : 1;
  return [...orders].sort((a, b) => {
    if (a[field] !== b[field]) return a[field] < b[field] ? -sign : sign;
    return a.id < b.id ? -1 : 1;
  });
}

function bodyOf(answer: Answer, status: number): unknown {
  expectStatus(answer, status);
  return answer.json();
}
