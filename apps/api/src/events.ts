import { ORDER_TRANSITIONS } from '@items/dtos/contract';
import type { EventTexts } from '@items/service/collections';

const EXAMPLE = {
  id: '019a9f59-d380-7000-9a17-3c5e2b7d8f40',
  type: 'item.updated',
  timestamp: '2026-11-20T10:00:00.000Z',
  data: {
    object: {
      id: '019a9f3e-5c7a-7d31-8b52-0e6a4f1c9d27',
      name: 'Blue mug',
      description: null,
      color: 'blue',
      price: 12.5,
      created_at: '2026-11-20T09:30:00.000Z',
      updated_at: '2026-11-20T10:00:00.000Z',
    },
    previous: { price: 9.99, updated_at: '2026-11-20T09:30:00.000Z' },
  },
};

/** Example change to each status, from one of the possible previous statuses. */
const CHANGES = Object.fromEntries(
  Object.entries(ORDER_TRANSITIONS).flatMap(([from, next]) =>
    next.map((to) => [`order.${to}`, { after: { status: to }, before: { status: from } }] as const),
  ),
);

export const events: EventTexts = { example: EXAMPLE, changes: CHANGES };
