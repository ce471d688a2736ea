import { judged } from './wrong-judgement.js';
import { ofItems } from './wrong-items.js';
import { ofOrders } from './wrong-orders.js';
import { ofCredentials } from './wrong-credentials.js';
import type { WrongDecision } from './wrong-decision.js';

/** Each of these services decides one thing wrongly. */
export const wrongDecisions: readonly WrongDecision[] = [...judged, ...ofItems, ...ofOrders, ...ofCredentials];
