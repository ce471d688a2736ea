import { MAX_AMOUNT, ORDER_STATUSES } from '@items/contracts';
import { OrderLineDto, type JsonSchema } from '@items/dtos';

import type { CollectionNotes } from '../openapi/description/collection-notes.js';
import { ID, partSchema } from '../openapi/description/resource-schemas.js';
import { TOTAL_TOO_LARGE } from './order-total.js';

const AMOUNT: JsonSchema = { type: 'number', format: 'double', minimum: 0, maximum: MAX_AMOUNT };

/** What the documentation says of orders beyond what it says of every collection. */
export const orderNotes: CollectionNotes = {
  fields: {
    user_id: { ...ID, description: 'Whose order it is.' },
    status: {
      type: 'string',
      enum: [...ORDER_STATUSES],
      description: 'Changed by transitions alone.',
      examples: ['pending'],
    },
    lines: {
      type: 'array',
      minItems: 1,
      maxItems: 100,
      items: partSchema(OrderLineDto, {
        name: {
          type: 'string',
          minLength: 1,
          maxLength: 200,
          description: "The item's name when the order was placed.",
          examples: ['Blue mug'],
        },
        unit_price: { ...AMOUNT, description: "The item's price when the order was placed.", examples: [12.5] },
      }),
    },
    total: { ...AMOUNT, description: 'What the lines come to, exactly.', examples: [25] },
  },
  writeErrors: [TOTAL_TOO_LARGE],
};
