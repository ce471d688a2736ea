import { fill, isBelow, match, parametersOf } from './paths.js';

it('match returns the values of the parameters', () => {
  expect(match('/users/{user_id}/orders/{id}', '/users/me/orders/1')).toEqual(['me', '1']);
  expect(match('/users/{id}', '/users/')).toBeUndefined();
  expect(match('/users/{id}', '/items/1')).toBeUndefined();
  expect(match('/users/{id}', '/users/1/orders')).toBeUndefined();
});

it('isBelow ignores the names of parameters, and what is two steps below', () => {
  expect(isBelow('/users/{id}', '/users/{user_id}/orders')).toBe(true);
  expect(isBelow('/users/{id}', '/users/{user_id}/orders/{id}')).toBe(false);
  expect(isBelow('/users/{id}', '/users/me/password')).toBe(false);
});

it('fill and parametersOf go through the parameters in their order', () => {
  expect(fill('/users/{user_id}/orders/{id}', ['me', '1'])).toBe('/users/me/orders/1');
  expect(parametersOf('/users/{user_id}/orders/{id}')).toEqual(['user_id', 'id']);
});
