import type { CollectionDescription } from '@items/service/openapi';

import { StaffOnlyError } from './require-staff.js';
import { illegalTransition } from './require-transition.js';

/** Additions to the general description of a collection. */
export const transitionDescription: CollectionDescription = {
  writeErrors: [
    new StaffOnlyError('shipped'),
    illegalTransition('pending', 'delivered'),
    illegalTransition('delivered', 'cancelled'),
  ],
};
