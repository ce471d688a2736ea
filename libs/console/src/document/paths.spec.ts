import { isBelow, match, pathBelow, splitPath } from './paths.js';

it('match returns the values of the parameters', () => {
  expect(match('/users/{user_id}/orders/{id}', '/users/me/orders/1')).toEqual(['me', '1']);
  expect(match('/users/{id}', '/users/')).toBeUndefined();
  expect(match('/users/{id}', '/items/1')).toBeUndefined();
  expect(match('/users/{id}', '/users/1/orders')).toBeUndefined();
});

it('isBelow ignores the names of parameters, and paths two steps below', () => {
  expect(isBelow('/users/{id}', '/users/{user_id}/orders')).toBe(true);
  expect(isBelow('/users/{id}', '/users/{user_id}/orders/{id}')).toBe(false);
  expect(isBelow('/users/{id}', '/users/me/password')).toBe(false);
});

it('pathBelow fills a template with the segments at the same positions', () => {
  expect(pathBelow('/users/u1', '/users/{user_id}/orders')).toBe('/users/u1/orders');
  expect(pathBelow('/webhooks/w1', '/webhooks/{id}/pings')).toBe('/webhooks/w1/pings');
  expect(pathBelow('/items/i1', '/items/{id}')).toBe('/items/i1');
  expect(pathBelow('/users/me', '/users/me/password')).toBe('/users/me/password');
});

it('splitPath separates the list and the id', () => {
  expect(splitPath('/users/me/orders/1')).toEqual(['/users/me/orders', '1']);
});
