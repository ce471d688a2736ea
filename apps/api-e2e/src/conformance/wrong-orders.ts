import { on, status, text, wrong, type WrongDecision } from './wrong-decision.js';

/** Wrong orders and transitions. */
export const ofOrders: readonly WrongDecision[] = [
  wrong(
    'begins orders in another state',
    ['3.order.pending'],
    text((body) => body.replace('"pending"', '"new"')),
  ),
  wrong(
    'follows prices in old orders',
    ['3.order.captured'],
    text((body) => body.replaceAll('12.5', '99'), on('GET', /orders/)),
  ),
  wrong(
    'answers transitions and rotations with 200',
    ['3.transition.made', '3.transition.owner', '3.transition.staff', '5.keys.rotated', '5.keys.grace'],
    status(201, 200, on('POST', /\/(transitions|rotations)$/)),
  ),
  wrong(
    'lists no transitions',
    ['3.transition.listed'],
    text((body) => body.replace(/\[.*\]/, '[]'), on('GET', /transitions/)),
  ),
  wrong(
    'answers conflicts with 400',
    ['3.transition.illegal', '5.users.duplicate', '5.keys.not-replayed'],
    status(409, 400),
  ),
  wrong(
    'hides what is forbidden',
    [
      '3.transition.staff',
      '3.orders.of-others',
      '3.orders.everybody',
      '5.keys.scopes',
      '5.keys.never-more',
      '5.roles.viewer',
      '5.roles.member',
      '5.users.others',
    ],
    status(403, 404),
  ),
  wrong('does not know POST on all orders', ['3.orders.read-only'], status(405, 404)),
];
