import type { CollectionDescription } from '@items/service/openapi';

import { StaffOnlyError } from './require-staff.js';
import { illegalTransition } from './require-transition.js';

/** What the documentation says of transitions beyond what it says of every collection. */
export const transitionDescription: CollectionDescription = {
  writeErrors: [
    new StaffOnlyError('shipped'),
    illegalTransition('pending', 'delivered'),
    illegalTransition('delivered', 'cancelled'),
  ],
};
