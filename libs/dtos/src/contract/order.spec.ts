import { ORDER_STATUSES, ORDER_TRANSITIONS, type OrderStatus } from './order.js';

describe('SPEC §3: pending → confirmed → shipped → delivered; pending and confirmed may become cancelled', () => {
  const allowed: readonly string[] = [
    'pending → confirmed',
    'confirmed → shipped',
    'shipped → delivered',
    'pending → cancelled',
    'confirmed → cancelled',
  ];
  const pairs = ORDER_STATUSES.flatMap((from) => ORDER_STATUSES.map((to): [OrderStatus, OrderStatus] => [from, to]));

  it.each(pairs)('%s → %s', (from, to) => {
    expect(ORDER_TRANSITIONS[from].includes(to)).toBe(allowed.includes(`${from} → ${to}`));
  });
});
