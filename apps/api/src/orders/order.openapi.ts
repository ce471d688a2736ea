import type { CollectionDescription } from '@items/service/openapi';

import { TOTAL_TOO_LARGE } from './order-total.js';

/** What the documentation says of orders beyond what it says of every collection. */
export const orderDescription: CollectionDescription = { writeErrors: [TOTAL_TOO_LARGE] };
