import { ValidationError } from '@items/conventions';
import { type DtoClass, validate } from '@items/fields';

import { OrderInputDto, TransitionInputDto } from './index.js';

function faultsOf(dto: DtoClass, body: object): string[] {
  try {
    validate<object>(dto, body);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return error.details.map(({ field, code }) => `${field} ${code}`);
  }
  return [];
}

const line = { item_id: '019a9f3e-5c7a-7d31-8b52-0e6a4f1c9d27', quantity: 1 };

describe('SPEC §2.3: an order has 1–100 lines of item_id and quantity 1–10000', () => {
  it.each([
    [{ lines: [line] }, []],
    [{ lines: Array(100).fill({ ...line, quantity: 10_000 }) }, []],
    [{}, ['lines required']],
    [{ lines: null }, ['lines wrong_type']],
    [{ lines: [] }, ['lines too_few']],
    [{ lines: Array(101).fill(line) }, ['lines too_many']],
    [{ lines: [{}] }, ['lines.0.item_id required', 'lines.0.quantity required']],
    [{ lines: [line, { ...line, quantity: 0 }] }, ['lines.1.quantity out_of_range']],
    [{ lines: [{ ...line, quantity: 10_001 }] }, ['lines.0.quantity out_of_range']],
    [{ lines: [{ ...line, quantity: 1.5 }] }, ['lines.0.quantity wrong_type']],
    [{ lines: [{ ...line, quantity: '1' }] }, ['lines.0.quantity wrong_type']],
    [{ lines: [{ ...line, item_id: 7 }] }, ['lines.0.item_id wrong_type']],
    [{ lines: [{ ...line, price: 1 }], note: 'x' }, ['lines.0.price unknown_field', 'note unknown_field']],
  ])('%j', (body, faults) => {
    expect(faultsOf(OrderInputDto, body)).toEqual(faults);
  });

  it('A read-only field that a client sends back is ignored', () => {
    const shown = {
      id: 'x',
      user_id: 'x',
      status: 'delivered',
      total: -1,
      created_at: 0,
      updated_at: 0,
      lines: [{ ...line, name: 5, unit_price: -1 }],
    };
    expect(validate(OrderInputDto, shown)).toEqual({ lines: [line] });
  });
});

describe('SPEC §3: a transition names a state', () => {
  it.each(['pending', 'confirmed', 'shipped', 'delivered', 'cancelled'])('%s', (to) => {
    expect(validate(TransitionInputDto, { to, id: 1, from: 2, created_at: 3 })).toEqual({ to });
  });

  it.each([
    [{}, ['to required']],
    [{ to: null }, ['to wrong_type']],
    [{ to: 'Confirmed' }, ['to not_allowed']],
    [{ to: 'constructor' }, ['to not_allowed']],
    [{ to: 'confirmed', at: 1 }, ['at unknown_field']],
  ])('%j', (body, faults) => {
    expect(faultsOf(TransitionInputDto, body)).toEqual(faults);
  });
});
