import type { CollectionDescription } from '@items/service/openapi';

import { TOTAL_TOO_LARGE } from './order-total.js';

/** Additions to the general description of a collection. */
export const orderDescription: CollectionDescription = { writeErrors: [TOTAL_TOO_LARGE] };
