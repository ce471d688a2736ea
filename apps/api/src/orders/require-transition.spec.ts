import { ORDER_STATUSES, ORDER_TRANSITIONS, type OrderStatus } from '@items/dtos/contract';
import { ConflictError } from '@items/conventions';

import { requireTransition } from './require-transition.js';

function refusalOf(from: OrderStatus, to: OrderStatus): object | undefined {
  try {
    requireTransition(from, to);
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    return error.toBody();
  }
  return undefined;
}

describe('SPEC §3: an illegal transition is 409 and says what is allowed', () => {
  it('the sentence and the details list the allowed transitions', () => {
    expect(refusalOf('pending', 'delivered')).toEqual({
      error: 'An order that is pending cannot become delivered; allowed: confirmed, cancelled.',
      code: 'illegal_transition',
      details: [
        {
          ...{ field: 'to', code: 'not_allowed', message: '"to" must be one of "confirmed", "cancelled".' },
          params: { values: ['confirmed', 'cancelled'] },
        },
      ],
    });
  });

  it('a final state is named as final', () => {
    expect(refusalOf('delivered', 'pending')).toEqual({
      error: 'An order that is delivered cannot become pending; no transition is allowed, it is final.',
      code: 'illegal_transition',
      details: [
        {
          ...{ field: 'to', code: 'not_allowed', message: 'No transition is allowed: "delivered" is final.' },
          params: { values: [] },
        },
      ],
    });
  });

  it.each(ORDER_STATUSES)('%s becomes an allowed status, and no other', (from) => {
    for (const to of ORDER_STATUSES) {
      expect([to, refusalOf(from, to) === undefined]).toEqual([to, ORDER_TRANSITIONS[from].includes(to)]);
    }
  });
});
