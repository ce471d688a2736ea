import { ORDER_STATUSES } from '@items/contracts';

import type { CollectionNotes } from '../openapi/description/collection-notes.js';
import { illegalTransition } from './require-transition.js';

/** What the documentation says of transitions beyond what it says of every collection. */
export const transitionNotes: CollectionNotes = {
  fields: {
    from: {
      type: 'string',
      enum: [...ORDER_STATUSES],
      description: 'What the order was before.',
      examples: ['pending'],
    },
  },
  unchanging: true,
  writeErrors: [illegalTransition('pending', 'delivered'), illegalTransition('delivered', 'cancelled')],
};
