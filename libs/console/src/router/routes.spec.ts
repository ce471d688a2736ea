import type { Collection, Model } from '../document/model.js';
import { memberPath, routeOf } from './routes.js';

const collection = (path: string, singular: string, member: string | undefined): Collection =>
  ({ path, singular, memberPath: member, create: {} }) as Collection;
const orders = collection('/users/{user_id}/orders', 'order', '/users/{user_id}/orders/{id}');
const allOrders = collection('/orders', 'order', undefined);
const grants = collection('/users/me/grants', 'grant', '/users/me/grants/{id}');
const model = {
  collections: [allOrders, orders, grants, collection('/users', 'user', '/users/{id}')],
} as unknown as Model;

it.each([
  ['/users', 'list', '/users'],
  ['/users/u1', 'member', '/users'],
  ['/users/new', 'new', '/users'],
  ['/users/me/orders', 'list', '/users/{user_id}/orders'],
  ['/users/me/orders/o1', 'member', '/users/{user_id}/orders'],
  ['/users/me/grants', 'list', '/users/me/grants'],
  ['/users/me', 'account', undefined],
  ['/nothing', 'unknown', undefined],
  ['/users/u1/orders/o1/x', 'unknown', undefined],
])('%s shows a view %s of %s', (path, view, list) => {
  const route = routeOf(model, path);
  expect([route.view, 'collection' in route ? route.collection.path : undefined]).toEqual([view, list]);
});

it('the path of a member comes from its list, or from its row', () => {
  expect(memberPath(model, orders, '/users/me/orders', { id: 'o1' })).toBe('/users/me/orders/o1');
  expect(memberPath(model, allOrders, '/orders', { id: 'o1', user_id: 'u1' })).toBe('/users/u1/orders/o1');
  expect(memberPath(model, orders, orders.path, { id: 'o1', user_id: 'u1' })).toBe('/users/u1/orders/o1');
  expect(memberPath(model, allOrders, '/orders', { id: 'o1' })).toBeUndefined();
});
